/**
 * Commands of webhooks. At the end, each receiver must have every event of its types since the webhook was created,
 * even if the receiver failed in between. Each event must be equal to the event in the feed, and the last delivery must
 * be signed with the newest secret.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { type Command, type Rule, rule } from './command.ts';
import type { FeedEvent } from './feed.ts';
import type { Received } from './receiver.ts';
import type { World } from './world.ts';

/** Types of events of each webhook; null means all types. */
const TYPES: readonly (readonly string[] | null)[] = [null, ['order.*'], ['pickTicket.confirmed', 'order.picked']];
const hook = { hook: fc.nat(TYPES.length - 1) };

const hookPath = ({ id }: World, hook: number) => `/operator/v1/clients/${id}/webhooks/hook${hook}`;

interface HookShown {
  webhookId: string;
  enabled: boolean;
  position: number;
  disabledReason?: string;
  secret?: string;
}

const putWebhook = rule<{ hook: number; enabled: boolean }, HookShown>({
  weight: 2,
  members: fc.record({ ...hook, enabled: fc.constantFrom(true, true, true, false) }),
  async send(world, { hook, enabled }) {
    const answer = await world.call('PUT', hookPath(world, hook), {
      url: world.receiver.urlOf(world.id, hook),
      ...(TYPES[hook] && { types: TYPES[hook] }),
      enabled,
    });
    const { secret, position } = answer.body as HookShown;
    if (answer.status === 201) world.hooks.set(hook, { secret: secret!, from: position });
    return answer;
  },
  expect({ webhooks }, { hook, enabled }) {
    const isNew = !webhooks.has(hook);
    webhooks.set(hook, enabled);
    return { status: isNew ? 201 : 200, shows: enabled };
  },
  shows: ({ enabled }) => enabled,
});

const getWebhook = rule<{ hook: number }, HookShown>({
  weight: 1,
  members: fc.record(hook),
  send: (world, { hook }) => world.call('GET', hookPath(world, hook)),
  expect: ({ webhooks }, { hook }) => ({ status: webhooks.has(hook) ? 200 : 404 }),
});

const listWebhooks = rule<object, { webhooks: HookShown[] }>({
  weight: 1,
  members: fc.constant({}),
  send: ({ call, id }) => call('GET', `/operator/v1/clients/${id}/webhooks`),
  expect: ({ webhooks }) => ({ status: 200, shows: [...webhooks.keys()].sort().map((one) => `hook${one}`) }),
  shows: (body) => body.webhooks.map(({ webhookId }) => webhookId),
});

const deleteWebhook = rule<{ hook: number }, unknown>({
  weight: 1,
  members: fc.record(hook),
  send: (world, { hook }) => world.call('DELETE', hookPath(world, hook)),
  expect: ({ webhooks }, { hook }) => ({ status: webhooks.delete(hook) ? 204 : 404 }),
});

const rotateWebhookSecret = rule<{ hook: number }, unknown>({
  weight: 1,
  members: fc.record(hook),
  async send(world, { hook }) {
    const answer = await world.call('POST', `${hookPath(world, hook)}/secret`, {});
    const { secret } = answer.body as HookShown;
    if (answer.status === 200) world.hooks.get(hook)!.secret = secret!;
    return answer;
  },
  expect: ({ webhooks }, { hook }) => ({ status: webhooks.has(hook) ? 200 : 404 }),
});

const listWebhookDeliveries = rule<{ hook: number }, unknown>({
  weight: 1,
  members: fc.record(hook),
  send: (world, { hook }) => world.call('GET', `${hookPath(world, hook)}/deliveries`),
  expect: ({ webhooks }, { hook }) => ({ status: webhooks.has(hook) ? 200 : 404 }),
});

/**
 * Makes the receiver of the webhook fail from now on, or work again. The service does not know this, so the request of
 * the command is only a read.
 */
const breakReceiver = rule<{ hook: number; status: number }, HookShown>({
  weight: 2,
  members: fc.record({ ...hook, status: fc.constantFrom(204, 204, 500, 503) }),
  send(world, { hook, status }) {
    world.receiver.answers.set(world.receiver.keyOf(world.id, hook), status);
    return world.call('GET', hookPath(world, hook));
  },
  expect: ({ webhooks }, { hook }) => ({ status: webhooks.has(hook) ? 200 : 404 }),
});

export const webhooks: Record<string, Rule<Command>> = {
  putWebhook,
  getWebhook,
  listWebhooks,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  breakReceiver,
};

const HOUR_S = 3600;
/** Hours after which every pending retry has become due. */
const ROUNDS = 30;

/**
 * Makes every receiver work, replays the events, waits for all retries, and compares the deliveries. Then deletes the
 * webhooks, so that the service sends no more events to them.
 */
export async function differenceOfWebhooks(world: World): Promise<string | undefined> {
  const { model, call, operator, receiver, hooks } = world;
  const made = [...model.webhooks.keys()];
  for (const hook of made) {
    receiver.answers.delete(receiver.keyOf(world.id, hook));
    const path = hookPath(world, hook);
    const url = receiver.urlOf(world.id, hook);
    await call('PUT', path, { url, ...(TYPES[hook] && { types: TYPES[hook] }), enabled: true });
    const { head } = (await call('GET', '/operator/v1/events?limit=1')).body as { head: number };
    const from = hooks.get(hook)!.from + 1;
    if (from <= head) await call('POST', `${path}/replay`, { from, to: head });
  }
  let waiting = made;
  for (let round = 0; waiting.length > 0 && round < ROUNDS; round++) {
    await operator('POST', '/operator/v1/sandbox/clock', { advanceBy: HOUR_S });
    const before = waiting;
    waiting = [];
    for (const hook of before) {
      const pending = await call('GET', `${hookPath(world, hook)}/deliveries?status=PENDING`);
      const { position } = (await call('GET', hookPath(world, hook))).body as HookShown;
      const { head } = (await call('GET', '/operator/v1/events?limit=1')).body as { head: number };
      if ((pending.body as { deliveries: unknown[] }).deliveries.length > 0 || position < head) waiting.push(hook);
    }
  }
  if (waiting.length > 0) return `at the end, hook${waiting[0]} is not done after ${ROUNDS} hours`;
  await world.feed.read();
  for (const hook of made) {
    const difference = differenceOfHook(world, hook);
    await call('DELETE', hookPath(world, hook));
    if (difference !== undefined) return `at the end, hook${hook}: ${difference}`;
  }
  return world.faults[0];
}

function differenceOfHook(world: World, hook: number): string | undefined {
  const { receiver, hooks, feed } = world;
  const { secret, from } = hooks.get(hook)!;
  const received = receiver.received.get(receiver.keyOf(world.id, hook)) ?? [];
  const isIts = ({ position, type }: FeedEvent) => position > from && isOf(TYPES[hook]!, type);
  const wanted = feed.all.filter(isIts);
  const got = new Map<string, Received>();
  for (const one of received) if (one.answered === 204) got.set(one.headers['webhook-id']!, one);
  const last = received.at(-1);
  if (last !== undefined && !isSigned(last, secret)) return 'the last delivery is not signed with the newest secret';
  for (const event of wanted) {
    const one = got.get(event.eventId);
    if (one === undefined) return `event ${event.position} ${event.type} was never delivered`;
    const body = JSON.parse(one.body) as FeedEvent;
    const isAlike = body.position === event.position && JSON.stringify(body.data) === JSON.stringify(event.data);
    if (!isAlike) return `event ${event.position} was delivered as ${one.body}, the feed has ${JSON.stringify(event)}`;
  }
  const ids = new Set(wanted.map(({ eventId }) => eventId));
  const strange = [...got.keys()].find((id) => !ids.has(id));
  return strange === undefined ? undefined : `an event of another type was delivered: ${got.get(strange)!.body}`;
}

function isOf(types: readonly string[] | null, type: string): boolean {
  return (
    types === null || types.some((one) => one === type || (one.endsWith('*') && type.startsWith(one.slice(0, -1))))
  );
}

/** Checks the signature as the specification of Standard Webhooks defines it. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  return headers['webhook-signature']!.split(' ').includes(signature);
}
