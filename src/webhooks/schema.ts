/** Request and response schemas of webhooks and their deliveries. */
import { position, TYPE_PATTERNS } from '../events/schema.ts';
import {
  dateTime,
  flag,
  identifier,
  ignoredFields,
  integer,
  list,
  named,
  object,
  oneOf,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { OVERLAP_MAX_S } from './schedule.ts';
import { say } from './sentences.ts';

export const WEBHOOK_ID_MAX = 40;
/** Maximum number of webhooks of a client. */
export const WEBHOOKS_MAX = 50;
/** Maximum number of positions in one replay. */
export const REPLAY_MAX = 10_000;

const webhook = {
  url: text(1, 2_000, {
    description: 'Url that gets the events: https, without user name, password and fragment',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$',
    'x-hint': say('send an https url such as https://hooks.example.com/backroom'),
  }),
  types: Type.Optional(
    list(
      identifier(60),
      { min: 1, max: TYPE_PATTERNS.length },
      {
        description:
          'Types of events; `order.*` means all types of orders. If absent, the webhook gets all types, also future types',
      },
    ),
  ),
};

const shown = {
  position: integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'Position in the feed up to which the service has tried to deliver every event at least once',
  }),
  disabledReason: Type.Optional(
    oneOf(['FAILING', 'GONE'], {
      description: 'Reason why the service disabled the webhook. Absent if a caller disabled the webhook',
    }),
  ),
  failingSince: Type.Optional(dateTime({ description: 'Time of the first failure since the last success' })),
  pausedUntil: Type.Optional(dateTime({ description: 'End of the pause of deliveries after failures' })),
  oldSecretUntil: Type.Optional(
    dateTime({ description: 'Until this time, deliveries also have a signature with the old secret' }),
  ),
  createdAt: dateTime(),
  updatedAt: dateTime(),
};

export const WebhookPut = named(
  'WebhookPut',
  object({
    ...webhook,
    enabled: Type.Optional(
      flag({
        description:
          'Whether the service sends events; default true. A webhook that is enabled again continues where it stopped',
      }),
    ),
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    webhookId: Type.Optional(Type.String({ minLength: 1 })),
    ...ignoredFields(...Object.keys(shown)),
  }),
);
export type WebhookPut = Static<typeof WebhookPut>;

const whole = {
  clientId: text(1, 32),
  webhookId: text(1, WEBHOOK_ID_MAX),
  ...webhook,
  enabled: flag({ description: 'Whether events are sent' }),
  ...shown,
};

/** A subscription, without its secret. */
export const Webhook = named('Webhook', object(whole));
export type Webhook = Static<typeof Webhook>;

const secret = text(1, 100, { description: '`whsec_` and the key in base64. Only this response shows the secret' });

export const NewWebhook = named('NewWebhook', object({ ...whole, secret }));

export const SecretRotate = named(
  'WebhookSecretRotate',
  object({
    overlapSeconds: Type.Optional(
      integer(0, OVERLAP_MAX_S, {
        description:
          'Seconds for which deliveries also have a signature with the old secret. Default: 86,400 (a day); at most 604,800 (seven days)',
      }),
    ),
  }),
);

export const NewSecret = named('WebhookSecret', object({ secret, oldSecretUntil: dateTime() }));

/** Fields of an attempt to deliver an event. */
const attempt = {
  at: dateTime({ description: 'Time of the attempt, in UTC' }),
  durationMs: integer(0, Number.MAX_SAFE_INTEGER),
  status: Type.Optional(integer(100, 999, { description: 'Status of the response' })),
  error: Type.Optional(text(1, 60, { description: 'Error code if there was no response, for example TIMEOUT' })),
};

/** The outcome of a test delivery. */
export const WebhookTest = named(
  'WebhookTest',
  object(
    {
      delivered: flag({ description: 'Whether the receiver responded with 2xx' }),
      eventId: text(36, 36, { description: 'Id of the event `webhook.tested`, and `webhook-id` of the delivery' }),
      position: position('Position of the event in the feed'),
      ...attempt,
    },
    { description: 'The outcome of a test delivery' },
  ),
);
export type WebhookTest = Static<typeof WebhookTest>;

export const Replay = named(
  'WebhookReplay',
  object({
    from: position('First position'),
    to: position(`Last position: at most ${REPLAY_MAX - 1} more than the first`),
  }),
);

export const ReplayDone = named(
  'WebhookReplayDone',
  object({ events: integer(0, REPLAY_MAX, { description: 'Number of events that are sent again' }) }),
);

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;

const Attempt = object(attempt);

/** The delivery of an event to a webhook. */
export const WebhookDelivery = named(
  'WebhookDelivery',
  object({
    position: position('Position of the event'),
    eventId: text(36, 36),
    type: text(1, 60, { description: 'Type of the event' }),
    status: oneOf(DELIVERY_STATUSES, {
      description:
        'PENDING: the next attempt is at `dueAt`. DELIVERED: the receiver responded with 2xx. DEAD: there is no further attempt, unless you replay the event',
    }),
    attempts: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Number of attempts since the last replay' }),
    dueAt: Type.Optional(dateTime()),
    log: list(Attempt, { max: 20 }, { description: 'The latest attempts, oldest first' }),
  }),
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const webhookSchemas = [
  WebhookPut,
  Webhook,
  NewWebhook,
  SecretRotate,
  NewSecret,
  WebhookTest,
  Replay,
  ReplayDone,
  WebhookDelivery,
];
