/** Shipments on this device: like `outbox.snapshot`, for the screens of receiving. */
import { call } from '../api.ts';
import type { InboundCommand, InboundSubject } from './commands.ts';
import type { Shipment } from './inbound.ts';
import './inbound-kind.ts';
import { type InboundView, inboundView } from './inbound-view.ts';
import { inboundPath } from './inbound-wire.ts';
import { outbox } from './index.ts';

/** A shipment as it is once everything is sent; undefined where it is not on this device. */
export function shipmentView(subject: InboundSubject): InboundView | undefined {
  const parts = outbox.snapshot.inbound(subject);
  return parts === undefined ? undefined : inboundView(parts);
}

/** Keeps a command on a shipment; once fulfilled it survives a dead battery. Returns its id: that of the receipt. */
export function addInbound(command: InboundCommand): Promise<string> {
  return outbox.add(command);
}

/** Sends what waits of a shipment and reads it from the service. @throws ApiError where it cannot be read now */
export function keepInbound(subject: InboundSubject): Promise<void> {
  return outbox.snapshot.refreshInbound(subject, () => call<Shipment>('GET', inboundPath(subject)));
}
