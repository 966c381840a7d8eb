/** Request and response schemas of a node's daily figures. */

import { wholeParam } from '../platform/http/page.ts';
import { dateTime, integer, list, named, object, type Static, Type, text } from '../platform/schema.ts';

const { Optional } = Type;

const COUNT_MAX = 1_000_000_000;
const DAYS_MAX = 31;
const USERS_MAX = 10_000;

const count = (description: string) => integer(0, COUNT_MAX, { description });
const date = (description: string) => text(10, 10, { description, examples: ['2026-03-02'] });
const linesPerHour = (who: string) =>
  Optional(
    Type.Number({
      minimum: 0,
      description: `Lines per hour. Hours in which ${who} user confirmed no ticket do not count`,
    }),
  );

export const BoardsQuery = object({
  date: Optional(
    text(0, 10, {
      format: 'date',
      description: 'Last day, in the node’s time zone; default today',
    }),
  ),
  days: wholeParam('Number of days, `date` included', { min: 1, max: DAYS_MAX, default: 1 }),
});
export type BoardsQuery = Static<typeof BoardsQuery>;

const numbers = {
  ordersIn: count('New orders'),
  unitsPicked: count('Found units of confirmed tickets'),
  linesPicked: count('Ticket lines with at least one found unit'),
  unitsShort: count('Units that were declined while picking, without units that customers had canceled'),
  late: count(
    'Orders with a step whose deadline has passed, without customer pickups. Each order counts once, at its first late step',
  ),
};

/**
 * Sums over the days of the response. `before` has the sums over the same number of days before them; if the last day
 * is today, it ends at the same time of day.
 */
const BoardSums = named(
  'BoardSums',
  object(
    { ...numbers, linesPerHour: linesPerHour('a') },
    { description: 'Sums over days. `before` covers the same number of earlier days, up to the same time of day' },
  ),
);

export const NodeBoards = named(
  'NodeBoards',
  object({
    at: dateTime({ description: 'Time of the figures' }),
    date: date('Last day'),
    timeZone: text(1, 100, { description: 'Time zone of the node; days and hours are in this zone' }),
    hours: list(
      object({ hour: integer(0, 23, { description: 'Hour of the day' }), ...numbers }),
      { min: 24, max: 24 },
      { description: 'Figures by hour of the day, as sums over the days' },
    ),
    days: list(object({ date: date('A day'), ...numbers }), { min: 1, max: DAYS_MAX }, { description: 'The days' }),
    users: list(
      object({
        userId: text(1, 64, { description: 'Login of the user who confirmed the tickets' }),
        name: Optional(text(1, 200, { description: 'Name of the user. Absent if no user has this login' })),
        lines: count('Lines picked'),
        units: count('Units picked'),
        short: count('Units declined'),
        linesPerHour: linesPerHour('this'),
      }),
      { max: USERS_MAX },
      { description: 'Users, sorted by their number of lines, the highest first' },
    ),
    totals: BoardSums,
    before: BoardSums,
    targets: object(
      {
        linesPerHour: Optional(integer(1, 10_000, { description: 'Target for lines per hour' })),
        shortPercent: Optional(
          Type.Number({ minimum: 0, maximum: 100, description: 'Maximum share of short units, in percent' }),
        ),
        late: Optional(integer(0, COUNT_MAX, { description: 'Maximum number of orders that become late in a day' })),
      },
      { description: 'Targets of the client, from the setting `targets`' },
    ),
    oldestOrder: Optional(
      object(
        {
          fulfillmentOrderId: text(1, 40),
          storeId: text(1, 40),
          queueId: text(1, 40),
          since: dateTime({ description: 'Time at which the order entered the queue' }),
        },
        { description: 'The order that has waited longest on its queue. Absent if no order waits' },
      ),
    ),
  }),
);
export type NodeBoards = Static<typeof NodeBoards>;

/** Named schemas of the boards, for the OpenAPI document. */
export const boardsSchemas = [BoardSums, NodeBoards];
