/**
 * The outbox and the snapshots of this console. What works without the network goes through here, and nowhere else:
 *
 * - `await outbox.add(command)`, then beep: it is on the disk, shown, and will be sent;
 * - `outbox.snapshot.ticket(subject)` inside a component or `computed`: the ticket as it is once everything is sent;
 * - `await keepTicket(subject)` reads it from the service without losing what is not sent yet.
 */
import { effect } from '@preact/signals';
import { api, SERVICE, send } from '../api.ts';
import { online } from '../preferences.ts';
import { isLocked, session, sessionRefused } from '../session.ts';
import { language } from '../texts/index.ts';
import type { CheckInSubject, TicketSubject } from './commands.ts';
import { createOutbox } from './outbox.ts';

export const outbox = createOutbox({
  service: SERVICE,
  language: () => language.peek(),
  onReach: (isReached) => {
    online.value = isReached;
  },
  onSignedOut: sessionRefused,
});

// Waiting commands are sent under the name of the person who did them, also after another person has come.
effect(() => {
  const who = session.value;
  if (who === undefined) return;
  const { clientId, userId, name } = who?.user ?? {};
  const owner =
    userId === undefined ? undefined : { userId, name: name ?? userId, ...(clientId !== undefined && { clientId }) };
  void outbox.as(owner, who?.outboxTicket).catch(() => undefined);
});

// A locked device keeps nothing of its person on the disk but what waits to be sent.
let wasLocked = false;
effect(() => {
  const is = isLocked.value;
  if (is !== wasLocked) void outbox.lock(is).catch(() => undefined);
  wasLocked = is;
});

/** Sends what waits of a ticket and reads it from the service. @throws ApiError where it cannot be read now */
export function keepTicket(subject: TicketSubject): Promise<void> {
  const { storeId, nodeId, id: pickTicketId } = subject;
  return outbox.snapshot.refreshTicket(subject, async () => {
    const path = { storeId, nodeId, pickTicketId };
    const opened = await send(
      api.POST('/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}', {
        params: { path },
        // Without a user it is only read; `open` is a command of its own.
        body: { storeId, nodeId, pickTicketId },
      }),
    );
    return opened.pickTicketDetails;
  });
}

/** Sends what waits of a check-in and reads it from the service. @throws ApiError where it cannot be read now */
export function keepCheckIn(subject: CheckInSubject): Promise<void> {
  const { storeId, nodeId, id: fulfillmentOrderId } = subject;
  return outbox.snapshot.refreshCheckIn(subject, async () => {
    const path = { storeId, nodeId, fulfillmentOrderId };
    const details = await send(
      api.GET('/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin', { params: { path } }),
    );
    return details.fulfillmentOrder;
  });
}

/** Keeps the tickets of the person on this device, so that they can be picked without the network. What fails is read at the next call. */
export async function keepTickets(subjects: readonly TicketSubject[]): Promise<void> {
  for (const subject of subjects) {
    if (outbox.snapshot.ticket(subject) === undefined) await keepTicket(subject).catch(() => undefined);
  }
}
