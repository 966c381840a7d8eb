/** Reads the present state of a ticket at the service: to keep it on this device, or for a conflict of this device. */
import { useEffect, useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import type { Subject, TicketDetails, TicketSubject } from './commands.ts';
import { outbox } from './index.ts';

/** Sends the waiting commands of a ticket and reads it from the service. @throws ApiError if it cannot be read now */
export function keepTicket(subject: TicketSubject): Promise<void> {
  return outbox.snapshot.refreshTicket(subject, (signal) => readTicket(subject, signal));
}

/** Reads the ticket of a conflict; undefined until it is read, and if it cannot be read. */
export function useTicketNow(subject: Subject, lane: string): TicketDetails | undefined {
  const [now, setNow] = useState<TicketDetails | undefined>();
  useEffect(() => {
    if (subject.kind === 'ticket') readTicket(subject).then(setNow, () => undefined);
  }, [lane]);
  return now;
}

/**
 * Reads a ticket without a lease, because the device can keep the ticket for later use; the command `open` starts the
 * lease. The read also does not assign a waiting reverse ticket to the user.
 */
async function readTicket({ storeId, nodeId, id }: TicketSubject, signal?: AbortSignal): Promise<TicketDetails> {
  const path = { storeId, nodeId, pickTicketId: id };
  const opened = await send(
    api.POST('/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}', {
      params: { path },
      body: { ...path, onlyRead: true },
      ...(signal && { signal }),
    }),
  );
  return opened.pickTicketDetails;
}
