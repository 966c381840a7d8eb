import { sql } from 'kysely';
import { lockEnds } from '../events/place.ts';
import { record } from '../events/record.ts';
import { typesOf } from '../events/schema.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { webhooks } from './read.ts';
import { REPLAY_MAX, Replay, ReplayDone } from './schema.ts';
import { say } from './sentences.ts';
import { typesOfRow } from './store.ts';

/** Queues events for delivery again (docs/decisions/129). */
export const replayWebhook = writeOperation({
  id: 'replayWebhook',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/replay',
  summary: 'Deliver events again',
  description: `Delivers the events of a range of positions again: delivered events, events whose delivery failed permanently (DEAD), and events from before the webhook existed.

- The replay leaves out events that the webhook does not subscribe to. It also leaves out events after the position of the webhook, because the service delivers them anyway.
- The webhook-id of an event stays the same, so that a receiver can recognize events that it already has.
- A replay ends the pause of a webhook whose deliveries failed.
- The events of a batch in progress (at most 24 deliveries) are sent again.`,
  events: ['webhook.replayed'],
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true },
  message: {
    body: Replay,
    replies: { 200: { description: 'Number of events that are sent again.', schema: ReplayDone } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or webhook.',
    },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another delivery of the same events' },
    async rules({ db, dialect }, { clientId, body: { from, to } }, errors) {
      if (from === undefined || to === undefined) return;
      if (to < from)
        errors.add(
          '/to',
          'order',
          say('`to` is less than `from`; send the first position in `from` and the last position in `to`'),
        );
      else if (to - from >= REPLAY_MAX) {
        errors.add(
          '/to',
          'maximum',
          say('the range has more than {replayMax} positions; replay it in parts', { replayMax: REPLAY_MAX }),
          REPLAY_MAX,
        );
      }
      const { head, gone } = await lockEnds(db, dialect, clientId);
      if (from <= gone) {
        errors.add(
          '/from',
          'minimum',
          say('events up to position {gone} are no longer kept; begin with {n}', { gone, n: gone + 1 }),
          gone + 1,
        );
      }
      if (from > head)
        errors.add('/from', 'maximum', say('`from` is after the last position; send at most {head}', { head }), head);
    },
    async handle(ctx, { params: { webhookId }, clientId, body: { from, to } }) {
      const hook = await webhooks.require(ctx.db, clientId, webhookId, ctx.dialect.forNoKeyUpdate);
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
      // A run in progress loses its lease, so it writes no outcome over the replayed deliveries.
      await ctx.db
        .updateTable('webhooks')
        .set({ paused_until: null, lease_id: null, lease_until: null })
        .where('client_id', '=', clientId)
        .where('webhook_id', '=', webhookId)
        .execute();
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
  },
  example: { path: '/operator/v1/clients/TOWN/webhooks/orders/replay', body: { from: 1, to: 20 } },
});
