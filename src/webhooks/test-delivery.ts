import { placeEvents } from '../events/place.ts';
import { record } from '../events/record.ts';
import { SHOWN_COLUMNS } from '../events/show.ts';
import { gateOf } from '../platform/http/gate.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { signedHeaders } from '../platform/standard-webhooks.ts';
import { formatDateTime } from '../platform/time.ts';
import { traceHeaders, traceKept } from '../platform/trace.ts';
import { bodyOf } from './deliver.ts';
import { webhooks } from './read.ts';
import { WebhookTest } from './schema.ts';
import { secretsOf, subscriptionOf } from './store.ts';

/** Maximum wait for the receiver. It is short, because the caller waits too. */
const WAIT_MAX_MS = 10_000;

/** Immediately delivers one event to a webhook and returns the outcome (docs/events.md#test-a-webhook). */
export const testWebhook = writeOperation({
  id: 'testWebhook',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/webhooks/{webhookId}/test',
  summary: 'Send a test delivery',
  description: `Records the event \`webhook.tested\`, delivers it to the webhook immediately and returns the outcome. The delivery has the same form and signature as every other delivery.

- The webhook can be disabled or paused, and its types need not include the event. The test changes neither its position nor its failures.
- The service makes one attempt of at most 10 s. The response is 200 with \`delivered: false\` if the receiver cannot be reached or does not respond with 2xx.
- A webhook whose types include \`webhook.tested\` also gets the event with its regular deliveries, with the same \`webhook-id\`.`,
  events: ['webhook.tested'],
  access: { auth: 'operatorOrApiKey', group: 'events', permission: 'client', wholeClient: true },
  message: {
    replies: { 200: { description: 'The outcome of the attempt.', schema: WebhookTest } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or webhook.',
    },
    errors: 'problem',
    keyless: true,
  },
  run: {
    repeat: { adds: 'another test delivery' },
    prepare: ({ clientId, params: { webhookId } }, _randomBytes, parts) => deliverTest(clientId, webhookId, parts),
    handle: async (_ctx, { prepared }) => reply(200, prepared),
  },
  example: { path: '/operator/v1/clients/TOWN/webhooks/orders/test', needs: 'receiver' },
});

/** Records the event in a separate transaction, so that it has its position in the feed before it is sent. */
async function deliverTest(
  clientId: string,
  webhookId: string,
  { store, ctx, idle, present }: PrepareParts,
): Promise<WebhookTest> {
  const { url, eventId, secrets, now, config } = await store.write(async (tx) => {
    const own = ctx(tx);
    const row = await webhooks.require(tx, clientId, webhookId);
    const resource = 'webhook' as const;
    const data = subscriptionOf(row);
    const eventId = await record(own, { clientId, type: 'webhook.tested', resource, resourceId: webhookId, data });
    const secrets = secretsOf(row, own.now, (sealed) => own.sealer.open(sealed));
    return { url: row.url, eventId, secrets, now: own.now, config: own.config };
  });
  await placeEvents(store, clientId);
  const event = await store.read((db) =>
    db
      .selectFrom('events')
      .select(SHOWN_COLUMNS)
      .where('client_id', '=', clientId)
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow(),
  );
  const body = bodyOf(event);
  const headers = {
    ...signedHeaders(secrets, eventId, now, body),
    ...traceHeaders(traceKept(event.trace, event.request_id)),
  };
  const { send } = await import('./send.ts');
  const since = present();
  const { ok, status, error } = await idle(() =>
    send({
      url,
      headers,
      body,
      timeoutMs: Math.min(config.webhookTimeoutMs, WAIT_MAX_MS),
      isPlainAllowed: config.webhookPlainHttp,
      gate: gateOf(config.webhookAllow),
    }),
  );
  return {
    delivered: ok,
    eventId,
    position: event.position!,
    at: formatDateTime(now),
    durationMs: Math.max(0, present() - since),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  };
}
