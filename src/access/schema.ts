/** Request and response schemas of access: the caller, and the events of the access log. */
import { GROUPS, PERMISSIONS } from '../platform/ctx.ts';
import { nextPosition, PAGE_SIZE_MAX, positionParam, wholeParam } from '../platform/http/page.ts';
import { ROLES } from '../platform/roles.ts';
import { dateTime, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { id } from '../shared/shapes.ts';

const ids = (what: string) =>
  Type.Optional(
    list(
      text(1, 40),
      { min: 1, max: 200 },
      { description: `The caller has access only to these ${what}. Absent if the caller has access to all ${what}` },
    ),
  );

/** The caller of a request: a user, a credential or an operator key. */
export const Me = named(
  'Me',
  object({
    kind: oneOf(['USER', 'CREDENTIAL', 'OPERATOR'], {
      description: 'USER: a user with a session; CREDENTIAL: a key of a client; OPERATOR: a key of the operator',
    }),
    clientId: Type.Optional(text(1, 32, { description: 'Client of a credential or user' })),
    userId: Type.Optional(text(1, 64, { description: 'Login of the user. Present only if `kind` is USER' })),
    role: Type.Optional(oneOf(ROLES, { description: 'Role of the user. Present only if `kind` is USER' })),
    credentialId: Type.Optional(
      text(1, 40, {
        description: 'Id of the credential or operator key. Absent for the operator key from the configuration',
      }),
    ),
    label: Type.Optional(text(1, 120, { description: 'Purpose of the key, as its creator wrote it' })),
    storeIds: ids('stores'),
    nodeIds: ids('nodes'),
    groups: Type.Optional(
      list(oneOf(GROUPS), { max: GROUPS.length }, { description: 'Groups of operations of a credential' }),
    ),
    permissions: Type.Optional(
      list(oneOf(PERMISSIONS), { max: PERMISSIONS.length }, { description: 'Permissions of the role of the user' }),
    ),
    expiresAt: Type.Optional(
      dateTime({ description: 'Time at which the key or the session expires. Absent if the key does not expire' }),
    ),
    rateLimits: Type.Optional(
      object(
        {
          requestsPerMinute: Type.Optional(
            integer(1, 1_000_000, { description: 'Requests per minute, from the setting RATE_LIMIT' }),
          ),
        },
        { description: 'Rate limit of the caller in each process of the service. Absent if there is no limit' },
      ),
    ),
  }),
);
export type Me = Static<typeof Me>;

export const ACCESS_LIMIT_DEFAULT = 100;

/** An event of the access log. */
export const AccessEvent = named(
  'AccessEvent',
  object({
    position: integer(1, Number.MAX_SAFE_INTEGER, {
      description:
        'Position in the log of the installation, in the order of writing; the positions of one client have gaps',
    }),
    type: text(1, 60, { description: 'Type of the event; `data` depends on it' }),
    at: dateTime({ description: 'Time of the event' }),
    actor: text(1, 255, {
      description:
        'The actor: `user:ID`, `credential:ID`, `operator:ID`, `import:ID`, `oidc:ID` for an identity provider, `anonymous` before the sign-in, or `system` for the service itself; never a name',
    }),
    clientId: Type.Optional(text(1, 32, { description: 'Client of the event; absent for events of the installation' })),
    requestId: text(1, 128, { description: 'X-Request-Id of the request' }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Ids of the resources of the event. In an event `orders.read`: `operation`, `fulfillmentOrderIds` and, if the caller is limited to nodes, `nodeIds`',
    }),
  }),
);
export type AccessEvent = Static<typeof AccessEvent>;

export const AccessEventPage = named(
  'AccessEventPage',
  object({
    events: list(AccessEvent, { max: PAGE_SIZE_MAX }, { description: 'Events in the order of the parameter `order`' }),
    ...nextPosition,
  }),
);
export type AccessEventPage = Static<typeof AccessEventPage>;

export const AccessQuery = object({
  after: positionParam(
    'next',
    'Last position that you have read. Default: the beginning of the log, or its end with `order=desc`',
  ),
  limit: wholeParam('Maximum number of events in the page', {
    min: 1,
    max: PAGE_SIZE_MAX,
    default: ACCESS_LIMIT_DEFAULT,
  }),
  order: Type.Optional(
    oneOf(['asc', 'desc'], {
      description:
        'asc (default): the earliest events first. desc: the latest events first; the next page has earlier events, and `next` is 0 after the first event of the log',
    }),
  ),
  actor: Type.Optional(text(1, 255, { description: 'Only events of this caller, such as `user:ana`' })),
  fulfillmentOrderId: Type.Optional(id('Only events about this order')),
});
/**
 * Maximum number of events that a request with a filter examines. The log has no index on callers, orders and nodes,
 * and a client can have millions of events.
 */
export const ACCESS_SCAN_MAX = 20_000;
export type AccessQuery = Static<typeof AccessQuery>;

/** Named schemas of access, for the OpenAPI document. */
export const accessSchemas = [Me, AccessEvent, AccessEventPage];
