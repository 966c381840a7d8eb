/** Wire shapes of webhooks and their deliveries. */
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

export const WEBHOOK_ID_MAX = 40;
/** Webhooks of a client at most. */
export const WEBHOOKS_MAX = 50;
/** Positions of one replay at most. */
export const REPLAY_MAX = 10_000;

const webhook = {
  url: text(1, 2_000, {
    description: 'Where events are posted to: https, without user name, password and fragment',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$',
    'x-hint': 'send an https url such as https://hooks.example.com/backroom',
  }),
  types: Type.Optional(
    list(
      identifier(60),
      { min: 1, max: TYPE_PATTERNS.length },
      {
        description: 'Types of events, `order.*` for every type of orders; left out: all, also those of the future',
      },
    ),
  ),
};

const shown = {
  position: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Every event up to this position was tried once' }),
  disabledReason: Type.Optional(
    oneOf(['FAILING', 'GONE'], { description: 'Why the service disabled it; left out where its owner did' }),
  ),
  failingSince: Type.Optional(dateTime({ description: 'First failure since the last success' })),
  pausedUntil: Type.Optional(dateTime({ description: 'Nothing is sent before' })),
  oldSecretUntil: Type.Optional(dateTime({ description: 'Until then the secret before the last rotation signs too' })),
  createdAt: dateTime(),
  updatedAt: dateTime(),
};

export const WebhookPut = named(
  'WebhookPut',
  object({
    ...webhook,
    enabled: Type.Optional(
      flag({ description: 'Default true; a webhook that is disabled goes on later where it stopped' }),
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

const secret = text(1, 100, { description: '`whsec_` and the key in base64; shown here and never again' });

export const NewWebhook = named('NewWebhook', object({ ...whole, secret }));

export const SecretRotate = named(
  'WebhookSecretRotate',
  object({
    overlapSeconds: Type.Optional(
      integer(0, OVERLAP_MAX_S, { description: 'How long the old secret signs too; default a day, at most seven' }),
    ),
  }),
);

export const NewSecret = named('WebhookSecret', object({ secret, oldSecretUntil: dateTime() }));

export const Replay = named(
  'WebhookReplay',
  object({
    from: position('First position'),
    to: position(`Last position, at most ${REPLAY_MAX - 1} behind the first`),
  }),
);

export const ReplayDone = named(
  'WebhookReplayDone',
  object({ events: integer(0, REPLAY_MAX, { description: 'Events that are put up for delivery once more' }) }),
);

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const;

const Attempt = object({
  at: dateTime({ description: 'When the attempt was made, in UTC' }),
  durationMs: integer(0, Number.MAX_SAFE_INTEGER),
  status: Type.Optional(integer(100, 999, { description: 'Status of the answer' })),
  error: Type.Optional(text(1, 60, { description: 'What went wrong where there was no answer, for example TIMEOUT' })),
});

/** What became of an event at a webhook. */
export const WebhookDelivery = named(
  'WebhookDelivery',
  object({
    position: position('Position of the event'),
    eventId: text(36, 36),
    type: text(1, 60, { description: 'Type of the event' }),
    status: oneOf(DELIVERY_STATUSES, {
      description: 'PENDING: tried again at dueAt. DEAD: not any more, unless it is replayed',
    }),
    attempts: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Attempts, since the last replay' }),
    dueAt: Type.Optional(dateTime()),
    log: list(Attempt, { max: 20 }, { description: 'The latest attempts, the last one at the end' }),
  }),
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const webhookSchemas = [
  WebhookPut,
  Webhook,
  NewWebhook,
  SecretRotate,
  NewSecret,
  Replay,
  ReplayDone,
  WebhookDelivery,
];
