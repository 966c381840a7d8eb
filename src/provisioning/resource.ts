/** Parts that resources of provisioning share: common fields and errors, and the response of a PUT. */

import { record } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { type Reply, reply } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { dateTime, ignored, type TOptional, type TProperties, Type } from '../platform/schema.ts';
import type { Reader } from '../platform/storage/db.ts';
import { formatDateTime } from '../platform/time.ts';
import { say } from './sentences.ts';

/** Maximum lengths of the identifiers of resources (docs/interface.md#item-identity). */
export const LIMITS = { clientId: 32, storeId: 40, nodeId: 40, itemId: 40, userId: 64, providerId: 40 } as const;

export const shown = { createdAt: dateTime(), updatedAt: dateTime() };

/** Fields of responses that a PUT accepts and ignores (docs/interface.md#fields-sent-back). */
export const sentBack = { createdAt: ignored(), updatedAt: ignored() };
export const sentId = Type.Optional(Type.String({ minLength: 1 }));

/** Returns the fields, each optional. */
export function optional<P extends TProperties>(fields: P) {
  const optionals = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)] as const);
  return Object.fromEntries(optionals) as { [K in keyof P]: TOptional<P[K]> };
}

/** The times at which a resource was created and last changed. */
export function times(row: { created_at: number; updated_at: number }) {
  return { createdAt: formatDateTime(row.created_at), updatedAt: formatDateTime(row.updated_at) };
}

/** Returns an error for each listed id that is not a store or node of the client. */
export async function unknownIdErrors(
  db: Reader,
  table: 'stores' | 'nodes',
  clientId: string,
  pointer: string,
  sent: readonly (string | undefined)[] = [],
): Promise<FieldError[]> {
  const ids = sent.filter((id) => id !== undefined);
  if (ids.length === 0) return [];
  const rows =
    table === 'stores'
      ? await db
          .selectFrom('stores')
          .select('store_id as id')
          .where('client_id', '=', clientId)
          .where('store_id', 'in', ids)
          .execute()
      : await db
          .selectFrom('nodes')
          .select('node_id as id')
          .where('client_id', '=', clientId)
          .where('node_id', 'in', ids)
          .execute();
  const known = new Set(rows.map((row) => row.id));
  return sent.flatMap((id, index) =>
    id === undefined || known.has(id)
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            rule: 'unknown-id',
            message:
              table === 'stores'
                ? say('the client has no store {id}; create it first or leave it out', { id: JSON.stringify(id) })
                : say('the client has no node {id}; create it first or leave it out', { id: JSON.stringify(id) }),
          },
        ],
  );
}

/** Returns the fields that differ between two states of a resource, in the form of the audit trail. */
export function differences(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed: Record<string, { from: unknown; to: unknown }> = {};
  for (const name of names) {
    if (name === 'createdAt' || name === 'updatedAt' || old[name] === now[name]) continue;
    if (stringifyJson(old[name] ?? null) !== stringifyJson(now[name] ?? null)) {
      changed[name] = { from: old[name] ?? null, to: now[name] ?? null };
    }
  }
  return changed;
}

/** Whether a PUT changes nothing: then nothing is written, and the response is the stored resource. */
export function stays(before: object, after: object): boolean {
  return Object.keys(differences(before, after)).length === 0;
}

/**
 * Records the effect of a PUT and returns its response: 201 for a created resource, 200 for a changed resource. `also`
 * has changes that no response shows, such as a new password.
 */
export async function answerPut(
  ctx: Ctx,
  resource: 'client' | 'store' | 'node' | 'nodeItem' | 'user' | 'identityProvider',
  clientId: string,
  resourceId: string,
  before: object | undefined,
  after: object,
  also: Record<string, string> = {},
): Promise<Reply> {
  const type = `${resource}.${before === undefined ? 'created' : 'changed'}` as const;
  const data: Record<string, unknown> =
    before === undefined ? { ...after } : { ...differences(before, after), ...also };
  await record(ctx, { clientId, type, resource, resourceId, data });
  return reply(before === undefined ? 201 : 200, after);
}
