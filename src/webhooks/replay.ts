import { sql } from 'kysely';
import { endsOf } from '../events/place.ts';
import { record } from '../events/record.ts';
import { typesOf } from '../events/schema.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { REPLAY_MAX, Replay, ReplayDone } from './schema.ts';
import { requireWebhook, typesOfRow } from './store.ts';

/** Puts events up for delivery once more (docs/decisions/129). */
export const replayWebhook = writeOperation({
  id: 'replayWebhook',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/replay',
  auth: 'operatorOrApiKey',
  group: 'events',
  permission: 'client',
  wholeClient: true,
  repeat: { adds: 'another delivery of the same events' },
  summary: 'Deliver events once more',
  description: `Puts the events of a range of positions up for delivery once more, whatever became of them before: delivered, dead, or
older than the webhook. Those of other types than the webhook's are left out; those behind its own position come anyway. Their
webhook-id stays the same, so a receiver that keeps ids knows what it has had. It also ends a pause after failures.`,
  body: Replay,
  replies: { 200: { description: 'How many events were put up.', schema: ReplayDone } },
  refusals: {
    401: 'Credentials are missing, or the operator’s are not valid.',
    404: 'There is no such client or webhook.',
  },
  errors: 'problem',
  async rules({ db }, { clientId, body: { from, to } }, errors) {
    if (from === undefined || to === undefined) return;
    if (to < from) errors.add('/to', 'order', 'to is smaller than from; send the first and the last position');
    else if (to - from >= REPLAY_MAX) {
      errors.add('/to', 'maximum', `the range has more than ${REPLAY_MAX} positions; replay it in parts`, REPLAY_MAX);
    }
    const { head, gone } = await endsOf(db, clientId);
    if (from <= gone) {
      errors.add('/from', 'minimum', `events up to position ${gone} are gone; begin with ${gone + 1}`, gone + 1);
    }
    if (from > head) errors.add('/from', 'maximum', `from is behind the last position, which is ${head}`, head);
  },
  async handle(ctx, { params: { webhookId }, clientId, body: { from, to } }) {
    const hook = await requireWebhook(ctx.db, { clientId, webhookId });
    const patterns = typesOfRow(hook);
    const last = Math.min(to, hook.position);
    let chosen = ctx.db
      .selectFrom('events')
      .select([
        sql<string>`client_id`.as('client_id'),
        sql<string>`cast(${webhookId} as text)`.as('webhook_id'),
        sql<number>`position`.as('position'),
        sql<'PENDING'>`'PENDING'`.as('status'),
        sql<number>`0`.as('attempts'),
        sql<number>`cast(${ctx.now} as bigint)`.as('due_at'),
        sql<string>`'[]'`.as('log'),
        sql<number>`cast(${ctx.now} as bigint)`.as('created_at'),
        sql<number>`cast(${ctx.now} as bigint)`.as('updated_at'),
      ])
      .where('client_id', '=', clientId)
      .where('position', '>=', from)
      .where('position', '<=', last);
    if (patterns !== undefined) chosen = chosen.where('type', 'in', typesOf(patterns));
    const done = await ctx.db
      .insertInto('webhook_deliveries')
      .columns([
        'client_id',
        'webhook_id',
        'position',
        'status',
        'attempts',
        'due_at',
        'log',
        'created_at',
        'updated_at',
      ])
      .expression(chosen)
      .onConflict((on) =>
        on
          .columns(['client_id', 'webhook_id', 'position'])
          .doUpdateSet({ status: 'PENDING', attempts: 0, due_at: ctx.now, updated_at: ctx.now }),
      )
      .executeTakeFirstOrThrow();
    await ctx.db
      .updateTable('webhooks')
      .set({ paused_until: null })
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', webhookId)
      .execute();
    const events = Number(done.numInsertedOrUpdatedRows ?? 0n);
    await record(ctx, {
      clientId,
      type: 'webhook.replayed',
      resource: 'webhook',
      resourceId: webhookId,
      data: { from, to, events },
    });
    return reply(200, { events });
  },
});
