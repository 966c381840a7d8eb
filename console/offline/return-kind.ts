/**
 * Registers announced returns with the outbox. It loads with the screens of returns, or with the first waiting receipt.
 */
import type { ReturnCommand } from './commands.ts';
import { registerKind } from './kinds.ts';
import { acceptedReturn, released, releasedLate } from './return-view.ts';
import { returnWireOf } from './return-wire.ts';
import type { Returned } from './returned.ts';

registerKind('return', {
  wireOf: (command: ReturnCommand, id, by) => returnWireOf(command, id, by),
  snapshot: (owner, key, returned: Returned, at) => ({ kind: 'return', owner, key, at, returned }),
  accept: (snapshot, [done], body, now) =>
    snapshot.kind === 'return' ? acceptedReturn(snapshot, done, body, now) : snapshot,
  release: released,
  releaseLate: releasedLate,
  hasParts: true,
});
