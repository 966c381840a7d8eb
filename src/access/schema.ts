/** Wire shapes of access: who the caller is, and what happened to access. */
import { GROUPS, PERMISSIONS } from '../platform/ctx.ts';
import { positionParam, wholeParam } from '../platform/http/page.ts';
import { ROLE_PERMISSIONS, type Role } from '../platform/roles.ts';
import { dateTime, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';

const ROLES = Object.keys(ROLE_PERMISSIONS) as [Role, ...Role[]];

const ids = (what: string) =>
  Type.Optional(list(text(1, 40), { min: 1, max: 200 }, { description: `Only these ${what}; left out: all` }));

/** Who the caller is. */
export const Me = named(
  'Me',
  object({
    kind: oneOf(['USER', 'CREDENTIAL', 'OPERATOR'], {
      description: 'USER: a person with a session; CREDENTIAL: a key of a client; OPERATOR: a key of the operator',
    }),
    clientId: Type.Optional(text(1, 32, { description: 'Client of a credential or user' })),
    userId: Type.Optional(text(1, 64, { description: 'Login of a person' })),
    role: Type.Optional(oneOf(ROLES, { description: 'Role of a person' })),
    credentialId: Type.Optional(
      text(1, 40, { description: 'The credential or operator key; left out for the key of the settings' }),
    ),
    label: Type.Optional(text(1, 120, { description: 'What it is for' })),
    storeIds: ids('stores'),
    nodeIds: ids('nodes'),
    groups: Type.Optional(
      list(oneOf(GROUPS), { max: GROUPS.length }, { description: 'Groups of operations of a credential' }),
    ),
    permissions: Type.Optional(
      list(oneOf(PERMISSIONS), { max: PERMISSIONS.length }, { description: 'What the role of a person allows' }),
    ),
    expiresAt: Type.Optional(dateTime({ description: 'From this instant on it is refused; left out: never' })),
    rateLimits: Type.Optional(
      object(
        {
          requestsPerMinute: Type.Optional(integer(1, 1_000_000, { description: 'Requests a minute, by RATE_LIMIT' })),
        },
        { description: 'How often it may ask, in each process of the service; left out where nothing is limited' },
      ),
    ),
  }),
);
export type Me = Static<typeof Me>;

export const ACCESS_LIMIT_DEFAULT = 100;

/** What happened to access. */
export const AccessEvent = named(
  'AccessEvent',
  object({
    position: integer(1, Number.MAX_SAFE_INTEGER, {
      description: 'Rises in the order of writing; those of one client have gaps',
    }),
    type: text(1, 60, { description: 'What happened; `data` depends on it' }),
    at: dateTime({ description: 'When it happened' }),
    actor: text(1, 255, { description: 'Who: `credential:ID`, `operator:ID`, `system`; never a name' }),
    clientId: Type.Optional(text(1, 32, { description: 'Left out for what is of the installation' })),
    requestId: text(1, 128, { description: 'X-Request-Id of the request' }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Ids of what it was about; of orders.read: `operation` and `fulfillmentOrderIds`',
    }),
  }),
);
export type AccessEvent = Static<typeof AccessEvent>;

export const AccessEventPage = named(
  'AccessEventPage',
  object({
    events: list(AccessEvent, { max: 500 }, { description: 'Accesses, in the order in which they were written' }),
    nextAfter: integer(0, Number.MAX_SAFE_INTEGER, { description: 'The `after` of the next request' }),
  }),
);
export type AccessEventPage = Static<typeof AccessEventPage>;

export const AccessQuery = object({
  after: positionParam('nextAfter', 'Answers what stands behind this position; default 0, the beginning'),
  limit: wholeParam('Most events of the answer', { min: 1, max: 500, default: ACCESS_LIMIT_DEFAULT }),
});
export type AccessQuery = Static<typeof AccessQuery>;

/** Named schemas of access, for the document. */
export const accessSchemas = [Me, AccessEvent, AccessEventPage];
