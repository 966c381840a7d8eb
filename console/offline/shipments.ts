/** Shipments on this device: the counterpart of `outbox.snapshot` for the screens of receiving. */
import { call } from '../api.ts';
import { session } from '../session.ts';
import { type InboundCommand, type InboundSubject, keyOf } from './commands.ts';
import type { Shipment } from './inbound.ts';
import './inbound-kind.ts';
import { type InboundView, inboundView } from './inbound-view.ts';
import { inboundPath } from './inbound-wire.ts';
import { outbox } from './index.ts';

/**
 * The POs for which a user has confirmed that goods arrived without the announced ASN, by `ownKey`. The console asks each
 * user once per PO, until the page is closed.
 */
export const takenDirectly = new Set<string>();

/** Returns a key for what the present user has done on a shipment. */
export function ownKey(subject: InboundSubject): string {
  return `${session.value?.user.userId} ${keyOf(subject)}`;
}

/** Returns a shipment with all waiting commands applied; undefined if it is not on this device. */
export function shipmentView(subject: InboundSubject): InboundView | undefined {
  const parts = outbox.snapshot.inbound(subject);
  return parts === undefined ? undefined : inboundView(parts);
}

/**
 * Stores a command on a shipment; returns its id, which is the id of the receipt. After the promise is fulfilled, the
 * command survives a power loss.
 */
export function addInbound(command: InboundCommand): Promise<string> {
  return outbox.add(command);
}

/** Sends the waiting commands of a shipment and reads it from the service. @throws ApiError if it cannot be read now */
export function keepInbound(subject: InboundSubject): Promise<void> {
  return outbox.snapshot.refreshInbound(subject, (signal) => call<Shipment>('GET', inboundPath(subject), { signal }));
}
