import { placeFirst } from '../events/place.ts';
import { record } from '../events/record.ts';
import { TYPE_PATTERNS, typesOf } from '../events/schema.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { gateOf } from '../platform/http/gate.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import type { FieldErrorSink } from '../platform/message/field-errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { nearest } from '../platform/message/nearest.ts';
import { makeSecret } from '../platform/standard-webhooks.ts';
import type { WebhookRow } from '../platform/storage/tables.ts';
import { webhooks } from './read.ts';
import { NewWebhook, WEBHOOK_ID_MAX, WEBHOOKS_MAX, Webhook, WebhookPut } from './schema.ts';
import { say } from './sentences.ts';
import { effectOf, toWebhook } from './store.ts';

/**
 * Creates or replaces a webhook of a client (docs/events.md#permissions, docs/decisions/129 and docs/decisions/131).
 */
export const putWebhook = writeOperation({
  id: 'putWebhook',
  since: '0.1.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}',
  summary: 'Create or change a webhook',
  description: `Creates or replaces a webhook of the client. From then on the service posts every event of the client, or of the named types, to its url, signed by the rules of Standard Webhooks.

- Only the response that creates a webhook has its secret.
- A new webhook begins with the next event. Older events are in the feed, and can be replayed.
- A disabled webhook keeps its position, and continues from there when it is enabled again.
- The url must be https. The service rejects an address that is not public, both here and when it connects, unless the operator's configuration allows it.
- Any change ends the pause of a webhook whose deliveries failed.
- Waiting deliveries (retries and replays) of types that the webhook no longer names are deleted. Delivered and DEAD deliveries stay in the log.
- A batch in progress at the time of a change (at most 24 deliveries) still goes to the old url. Its events are sent again with the new settings.`,
  events: ['webhook.created', 'webhook.changed'],
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true, fresh: true },
  message: {
    body: WebhookPut,
    replies: {
      200: { description: 'The webhook as it is now.', schema: Webhook },
      201: { description: 'The webhook was created; store its secret now.', schema: NewWebhook },
    },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client.',
      409: `The client has ${WEBHOOKS_MAX} webhooks already.`,
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules({ config }, { params: { webhookId }, body: { url, types } }, errors) {
      errors.addAll(pathIdErrors('webhookId', webhookId, WEBHOOK_ID_MAX));
      if (typeof url === 'string') urlErrors(url, config, errors);
      const named = (types ?? []).filter((type): type is string => typeof type === 'string');
      errors.addAll(repeatErrors('/types', named));
      for (const [index, type] of named.entries()) {
        if (TYPE_PATTERNS.includes(type)) continue;
        const meant = nearest(type, TYPE_PATTERNS);
        const hint =
          meant === undefined ? say('the types are in docs/events.md') : say('did you mean {meant}?', { meant });
        errors.add(
          `/types/${index}`,
          'enum',
          say('there is no event type {type}; {hint}', { type: JSON.stringify(type), hint }),
        );
      }
    },
    async handle(ctx, { params: { webhookId }, clientId, body }) {
      const before = await webhooks.find(ctx.db, clientId, webhookId, ctx.dialect.forNoKeyUpdate);
      const values = {
        url: body.url,
        types: body.types === undefined ? null : stringifyJson(body.types),
        enabled: body.enabled === false ? 0 : 1,
      };
      if (before !== undefined) {
        const isSame = before.url === values.url && before.types === values.types && before.enabled === values.enabled;
        const isResting = before.paused_until !== null || before.disabled_reason !== null;
        if (isSame && !isResting) return reply(200, toWebhook(before));
        const changed = {
          ...values,
          paused_until: null,
          // From now on the user has disabled the webhook, or it is enabled.
          disabled_reason: null,
          ...(values.enabled === 1 && { failures: 0, failing_since: null }),
          // A run in progress loses its lease, so it writes nothing. The next run has the new url, types and state.
          lease_id: null,
          lease_until: null,
          updated_at: ctx.now,
        };
        const after: WebhookRow = { ...before, ...changed };
        await ctx.db
          .updateTable('webhooks')
          .set(changed)
          .where('client_id', '=', clientId)
          .where('webhook_id', '=', webhookId)
          .execute();
        if (body.types !== undefined) await endOthers(ctx, after, typesOf(body.types));
        await record(ctx, effectOf('webhook.changed', after));
        return reply(200, toWebhook(after));
      }
      const { count } = await ctx.db
        .selectFrom('webhooks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('client_id', '=', clientId)
        .executeTakeFirstOrThrow();
      if (count >= WEBHOOKS_MAX) {
        throw conflict(
          say('The client has {webhooksMax} webhooks already; delete one that you no longer need.', {
            webhooksMax: WEBHOOKS_MAX,
          }),
        );
      }
      const secret = makeSecret(ctx.randomBytes);
      const row: WebhookRow = {
        client_id: clientId,
        webhook_id: webhookId,
        ...values,
        disabled_reason: null,
        secret: ctx.sealer.seal(secret, ctx.randomBytes(12)),
        old_secret: null,
        old_secret_until: null,
        position: await placeFirst(ctx.db, ctx.dialect, clientId),
        failures: 0,
        failing_since: null,
        paused_until: null,
        lease_id: null,
        lease_until: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      };
      const made = await ctx.db
        .insertInto('webhooks')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      if (made.numInsertedOrUpdatedRows !== 1n) {
        throw conflict(
          say('Another request created the webhook at the same time, so this request changed nothing. Try again.'),
        );
      }
      await record(ctx, effectOf('webhook.created', row));
      return reply(201, { ...toWebhook(row), secret });
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/webhooks/orders',
    body: { url: 'https://hooks.example.com/backroom', types: ['order.*'], enabled: false },
  },
});

/**
 * Deletes the waiting deliveries of event types that the webhook no longer names. Otherwise the service would try these
 * deliveries for a day, and their failures could pause the webhook.
 */
async function endOthers({ db }: Ctx, hook: WebhookRow, types: readonly string[]): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('client_id', '=', hook.client_id)
    .where('webhook_id', '=', hook.webhook_id)
    .where('due_at', 'is not', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('events')
          .select('events.event_id')
          .whereRef('events.client_id', '=', 'webhook_deliveries.client_id')
          .whereRef('events.position', '=', 'webhook_deliveries.position')
          .where('events.type', 'not in', types),
      ),
    )
    .execute();
}

/** Checks a url without a DNS request. */
function urlErrors(url: string, config: Ctx['config'], errors: FieldErrorSink): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  if (parsed === undefined || !isWeb || parsed.hostname === '') {
    errors.add('/url', 'format', say('url is not an https url; send a url such as https://hooks.example.com/backroom'));
  } else if (parsed.username !== '' || parsed.password !== '' || parsed.hash !== '') {
    const hint = say('leave these parts out; your receiver can check the header webhook-signature instead');
    errors.add('/url', 'format', say('url must have no user name, password or fragment; {hint}', { hint }));
  } else if (parsed.protocol === 'http:' && !config.webhookPlainHttp) {
    errors.add(
      '/url',
      'https',
      say(
        'url must be an https url; http urls are for trials only, and the operator can allow them with WEBHOOK_PLAIN_HTTP=yes',
      ),
    );
  } else if (gateOf(config.webhookAllow).refusesHost(parsed.hostname)) {
    errors.add(
      '/url',
      'address',
      say(
        'url has an address that is not public; send a url with a public address, or ask the operator to add the address to WEBHOOK_ALLOW',
      ),
    );
  }
}
