/**
 * Stores the data that the user needs for work without the network: the user's pick tickets, the last response of
 * `GET .../work` for the node, and the choices of the node.
 */
import { effect } from '@preact/signals';
import { ApiError } from '../api.ts';
import { readChoices } from '../choices.ts';
import { place } from '../session.ts';
import { type Work, work, workError } from '../work/node-work.ts';
import type { TicketSubject } from './commands.ts';
import { outbox } from './index.ts';
import { keepTicket } from './ticket-now.ts';
// Registers pick tickets and check-ins with the outbox, so that they are possible without the network.
import './store-kinds.ts';

/** Starts storing the data. It runs until the page is closed. */
export function startKeeping(): void {
  // Home also needs the choices: they have the time zone of the node.
  effect(() => {
    if (place.value !== undefined) void readChoices().catch(() => undefined);
  });
  effect(() => {
    const shown = work.value;
    const at = place.peek();
    if (shown === undefined || at === undefined) return;
    void outbox.snapshot.cached(keyOf(at), async () => shown).catch(() => undefined);
    void keepTickets(
      shown.myTickets.map(({ storeId, pickTicketId }) => ({
        kind: 'ticket',
        storeId,
        nodeId: at.nodeId,
        id: pickTicketId,
      })),
    );
  });
  effect(() => {
    const error = workError.value;
    const at = place.value;
    if (at === undefined || work.peek() !== undefined || !(error instanceof ApiError && error.passes)) return;
    const away = async (): Promise<Work> => {
      throw error;
    };
    outbox.snapshot.cached(keyOf(at), away).then(
      ({ body }) => {
        if (place.peek() === at) work.value ??= body;
      },
      () => undefined,
    );
  });
}

function keyOf({ clientId, nodeId }: { clientId: string; nodeId: string }): string {
  return JSON.stringify(['work', clientId, nodeId]);
}

/**
 * Stores the tickets of the user on this device, so that they can be picked without the network. A ticket that cannot
 * be read is tried again at the next call.
 */
async function keepTickets(subjects: readonly TicketSubject[]): Promise<void> {
  for (const subject of subjects) {
    if (outbox.snapshot.ticket(subject) === undefined) await keepTicket(subject).catch(() => undefined);
  }
}
