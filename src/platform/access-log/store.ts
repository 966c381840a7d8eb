/** Rows of access events: written by whoever opens, closes or uses a door; never in the partners' feed. */
import { stringifyJson } from '../message/json.ts';
import type { Writer } from '../storage/db.ts';
import type { Dialect } from '../storage/dialect.ts';

/** One thing that happened to access. */
export interface AccessEffect {
  /** '' for what is of the installation. */
  clientId: string;
  type: string;
  at: number;
  actor: string;
  requestId: string;
  /** Never a secret, never a customer's data: ids only. */
  data: object;
}

const COLUMNS = {
  client_id: 'text',
  position: 'integer',
  at: 'integer',
  type: 'text',
  actor: 'text',
  request_id: 'text',
  data: 'text',
} as const;

/** Writes access events in this transaction; nobody else gives positions until it ends, so readers miss none. */
export async function insertAccessEvents(
  tx: Writer,
  dialect: Dialect,
  effects: readonly AccessEffect[],
): Promise<void> {
  if (effects.length === 0) return;
  const head = await tx
    .insertInto('access_heads')
    .values({ client_id: '', position: effects.length })
    .onConflict((conflict) =>
      conflict
        .column('client_id')
        .doUpdateSet((eb) => ({ position: eb('access_heads.position', '+', eb.ref('excluded.position')) })),
    )
    .returning('position')
    .executeTakeFirstOrThrow();
  const first = head.position - effects.length + 1;
  const rows = effects.map(({ clientId, type, at, actor, requestId, data }, index) => ({
    client_id: clientId,
    position: first + index,
    at,
    type,
    actor,
    request_id: requestId,
    data: stringifyJson(data),
  }));
  await tx
    .insertInto('access_events')
    .columns(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])
    .expression(dialect.rowsOf(rows, COLUMNS))
    .execute();
}

/** Somebody was shown people's data of orders. */
export const ORDERS_READ = 'orders.read';
/** Reads that could not be written. */
export const LOG_LOST = 'accessLog.lost';

/** Types of the events of a client that are access events too: keys, and PINs that were wrong or unlocked. */
export const ALSO_ACCESS: ReadonlySet<string> = new Set([
  'credential.created',
  'credential.revoked',
  'order.pinRefused',
  'order.pinUnlocked',
]);

const PURGE_ROWS = 5_000;

/** Deletes a batch of those that happened up to an instant, the oldest first; returns how many. */
export async function purgeAccessEvents(tx: Writer, upTo: number): Promise<number> {
  const oldest = await tx
    .selectFrom('access_events')
    .select(['position', 'at'])
    .orderBy('position')
    .limit(PURGE_ROWS)
    .execute();
  const last = oldest.findLast(({ at }) => at <= upTo);
  if (last === undefined) return 0;
  const done = await tx.deleteFrom('access_events').where('position', '<=', last.position).executeTakeFirst();
  return Number(done.numDeletedRows);
}
