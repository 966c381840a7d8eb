/** Rows of access events. The event feed of a client never shows them. */
import { sql } from 'kysely';
import type { Actor } from '../ctx.ts';
import { lastOld } from '../last-old.ts';
import { stringifyJson } from '../message/json.ts';
import type { Writer } from '../storage/db.ts';
import type { Dialect } from '../storage/dialect.ts';

/** An access event. */
export interface AccessEffect {
  /** '' for an event of the installation. */
  clientId: string;
  type: string;
  at: number;
  actor: string;
  requestId: string;
  /** Data of the event: ids only, never a secret or a customer's data. */
  data: object;
}

/**
 * Returns the nodes of a caller for the data of its access events: the node of the device, or the nodes of the user or
 * key. Empty or undefined: the caller is not limited to nodes. Managers of some nodes see only events of their nodes.
 */
export function nodesOfCaller({ session, nodeIds }: Actor): readonly string[] | undefined {
  if (session === undefined) return nodeIds ?? undefined;
  return session.device === undefined ? session.nodeIds : [session.device.nodeId];
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

/**
 * Writes access events in this transaction. The transaction locks the positions until its end, so readers miss no
 * event.
 */
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

/** Type of event: a caller read personal data of orders. */
export const ORDERS_READ = 'orders.read';
/** Type of event: the journal dropped entries of reads. */
export const LOG_LOST = 'accessLog.lost';

/** Events of a client that are access events too: keys, identity providers, wrong PINs and unlocked PINs. */
export const ALSO_ACCESS: ReadonlySet<string> = new Set([
  'credential.created',
  'credential.revoked',
  'identityProvider.created',
  'identityProvider.changed',
  'identityProvider.deleted',
  'order.pinRefused',
  'order.pinUnlocked',
]);

const PURGE_ROWS = 5_000;

/** Deletes a batch of the oldest events up to an instant; returns their number. */
export async function purgeAccessEvents(tx: Writer, upTo: number, now: number): Promise<number> {
  const rows = sql<{ position: number; at: number }>`select position, at from access_events`;
  const last = await lastOld(tx, rows, { upTo, now, limit: PURGE_ROWS });
  if (last === undefined) return 0;
  const done = await tx.deleteFrom('access_events').where('position', '<=', last).executeTakeFirst();
  return Number(done.numDeletedRows);
}
