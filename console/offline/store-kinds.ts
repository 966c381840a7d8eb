/** Registers pick tickets and check-ins with the outbox. It loads with the first ticket or check-in that is stored. */
import { type CheckInDetails, type StoreCommand, type TicketDetails, wireOf } from './commands.ts';
import { registerKind } from './kinds.ts';
import { accepted, checkInSnapshot, conflictOf, ticketSnapshot } from './settle.ts';

registerKind('ticket', {
  wireOf: (command: StoreCommand, id, by) => wireOf(command, id, by),
  snapshot: (owner, key, body: TicketDetails, now, before) => ticketSnapshot(owner, key, body, now, before),
  accept: accepted,
  conflictOf,
});
registerKind('checkIn', {
  wireOf: (command: StoreCommand, id, by) => wireOf(command, id, by),
  snapshot: (owner, key, body: CheckInDetails, now, before) => checkInSnapshot(owner, key, body, now, before),
  accept: accepted,
});
