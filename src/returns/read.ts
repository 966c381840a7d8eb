import { findStateChanges } from '../kernel/returns/changes.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import type { ReturnRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { findActorNames } from '../shared/user-names.ts';
import { type Return, returnDetails } from './schema.ts';
import { showReturn } from './show.ts';
import { requireNumbered } from './store.ts';

/** Reads a return by its number. */
export const readReturn = readOperation({
  id: 'readReturn',
  since: '0.5.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/returns/{number}',
  summary: 'Read a return',
  description:
    'The response has the lines, receipts, refunds and exchanges of a return. For each line, `requested + over = sellable + damaged + held + givenBack + missing + open`.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['intake', 'fulfillment', 'receiving'],
    permission: ['orders.change', 'fulfillment.read', 'receive'],
  },
  message: {
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: { 404: 'There is no such store or return.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { store, params }) {
      const row = await requireNumbered(ctx, store, params.number);
      return reply(200, { ...(await showReturn(ctx, row)), ...(await stateChangesOf(ctx, row)) });
    },
  },
  example: { after: ['createReturn'], path: '/operator/v1/stores/TOWN_US/returns/R-1001' },
});

/** Reads the cancellations, expiries and reopenings of a return from its events, because no table stores them. */
async function stateChangesOf(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  row: ReturnRow,
): Promise<Pick<Return, 'stateChanges'>> {
  const events = await findStateChanges(ctx, row.client_id, [row]);
  if (events.length === 0) return {};
  const changes = events.map(({ at, actor, data }) => ({
    ...(parseJson(data) as Pick<StateChange, 'state' | 'userId' | 'reason'>),
    at,
    actor,
  }));
  const personOf = ({ userId, actor }: (typeof changes)[number]) => (userId === undefined ? actor : `user:${userId}`);
  const names = await findActorNames(ctx, row.client_id, changes.map(personOf));
  const stateChanges = changes.map((change) => {
    const { state, at, actor, userId, reason } = change;
    const name = names.get(personOf(change));
    return {
      state,
      at: formatDateTime(at),
      actor: actor.startsWith('system') ? 'system' : actor,
      ...(userId !== undefined && { userId }),
      ...(name !== undefined && { name }),
      ...(reason !== undefined && { reason }),
    };
  });
  return { stateChanges };
}

type StateChange = NonNullable<Return['stateChanges']>[number];
