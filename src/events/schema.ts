/** Request and response schemas of the feed: an event as the feed and webhooks show it, and a page of the feed. */
import { nextPosition, positionParam, wholeParam } from '../platform/http/page.ts';
import { integer, list, named, object, type Static, Type, text } from '../platform/schema.ts';
import { EVENT_TYPE_NAMES } from './types.ts';

export const FEED_LIMIT_DEFAULT = 100;
const FEED_LIMIT_MAX = 500;
/** Maximum wait of a poll in seconds, below the timeouts of common proxies. */
const WAIT_MAX = 30;

export const position = (description: string) => integer(1, Number.MAX_SAFE_INTEGER, { description });

export const eventMembers = {
  position: position('Place in the client’s feed, from 1 without a gap'),
  eventId: text(36, 36, {
    description: 'Identifier of the event; the same in the feed and in every delivery and attempt',
  }),
  type: text(1, 60, { description: 'Type of the event; the schema of `data` depends on it' }),
  at: Type.String({ description: 'Time of the event, in UTC' }),
  resourceType: text(1, 40),
  resourceId: text(1, 200),
  sequence: position('Place among the events of this resource, from 1 without a gap'),
  actor: text(1, 255, {
    description:
      'The actor: `user:ID`, `credential:ID`, `operator:ID`, `import:ID`, `oidc:ID` for an identity provider, or `system` for actions of the scheduler; never a name',
  }),
};

export const FeedEvent = named(
  'Event',
  object({
    ...eventMembers,
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The change, with the schema of the type (see `webhooks` in this document)',
    }),
  }),
);
export type FeedEvent = Static<typeof FeedEvent>;

export const EventPage = named(
  'EventPage',
  object({
    events: list(FeedEvent, { max: FEED_LIMIT_MAX }, { description: 'Events, in the order of their positions' }),
    ...nextPosition,
    head: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'Last position of the client. If `next` is smaller, there are more events',
    }),
  }),
);

export const FeedQuery = object({
  after: positionParam('next', 'Last position that you have read; default: begin with the oldest event that is kept'),
  limit: wholeParam('Maximum number of events in the page', {
    min: 1,
    max: FEED_LIMIT_MAX,
    default: FEED_LIMIT_DEFAULT,
  }),
  wait: wholeParam('Maximum number of seconds to wait if there is no event', { min: 0, max: WAIT_MAX, default: 0 }),
  clientId: Type.Optional(
    text(1, 32, {
      description: 'Client of the events. Required with an operator key, optional with a credential of the client',
    }),
  ),
  types: Type.Optional(
    text(1, 2_000, {
      description: 'Only events of these types, separated by commas; `order.*` means all types of orders',
    }),
  ),
});
export type FeedQuery = Static<typeof FeedQuery>;

/** The parts of type names before the dot, for example `order`. */
const GROUPS = [...new Set(EVENT_TYPE_NAMES.map((name) => name.slice(0, name.indexOf('.'))))];

/** All patterns and names that a list of types can contain. */
export const TYPE_PATTERNS: readonly string[] = [...GROUPS.map((group) => `${group}.*`), ...EVENT_TYPE_NAMES];

/** Returns the types that match a list of names and patterns. */
export function typesOf(patterns: readonly string[]): string[] {
  const wanted = new Set(patterns);
  return EVENT_TYPE_NAMES.filter((name) => wanted.has(name) || wanted.has(`${name.slice(0, name.indexOf('.'))}.*`));
}
