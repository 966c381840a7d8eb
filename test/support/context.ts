/**
 * The context for functions of the domain that a test calls without a request: clock, ids and store of an open
 * installation.
 */
import type { Ctx } from '../../src/platform/ctx.ts';
import type { Writer } from '../../src/platform/storage/db.ts';
import type { Backroom } from './backroom.ts';

/** Returns a context in the transaction `db` with the system as actor. */
export function contextOf(
  { store, ports }: Pick<Backroom, 'store' | 'ports'>,
  db: Writer,
): Omit<Ctx, 'sealer' | 'config'> {
  return {
    db,
    dialect: store.dialect,
    actor: { kind: 'system', id: 'test' },
    requestId: 'test',
    now: ports.now(),
    newId: ports.newId,
    randomBytes: ports.randomBytes,
    log: ports.log,
    onCommit: () => undefined,
  };
}
