/** Wire shapes of the numbers of a node's days. */

import { wholeParam } from '../platform/http/page.ts';
import { dateTime, integer, list, named, object, type Static, Type, text } from '../platform/schema.ts';

const { Optional } = Type;

const COUNT_MAX = 1_000_000_000;
const DAYS_MAX = 31;
const USERS_MAX = 10_000;

const count = (description: string) => integer(0, COUNT_MAX, { description });
const date = (description: string) => text(10, 10, { description, examples: ['2026-03-02'] });
const linesPerHour = Optional(
  Type.Number({ minimum: 0, description: 'Lines an hour, over the hours in which a user confirmed a ticket' }),
);

export const BoardsQuery = object({
  date: Optional(
    text(0, 10, {
      format: 'date',
      description: 'Last day, in the node’s time zone; default: today',
    }),
  ),
  days: wholeParam('Days up to date', { min: 1, max: DAYS_MAX, default: 1 }),
});
export type BoardsQuery = Static<typeof BoardsQuery>;

const numbers = {
  ordersIn: count('Orders that came in'),
  unitsPicked: count('Units found, by tickets that were confirmed'),
  linesPicked: count('Lines of tickets of which a unit was found'),
  unitsShort: count('Units declined while picking; those that customers had canceled aside'),
  late: count('Steps of orders that expired, those of customers aside'),
};

export const NodeBoards = named(
  'NodeBoards',
  object({
    date: date('Last day'),
    timeZone: text(1, 100, { description: 'Time zone of the node, in which days and hours are counted' }),
    hours: list(
      object({ hour: integer(0, 23, { description: 'Hour of the day' }), ...numbers }),
      { min: 24, max: 24 },
      { description: 'All hours of the day; of several days their sums' },
    ),
    days: list(object({ date: date('A day'), ...numbers }), { min: 1, max: DAYS_MAX }, { description: 'The days' }),
    users: list(
      object({
        userId: text(1, 64, { description: 'Who confirmed' }),
        lines: count('Lines picked'),
        units: count('Units picked'),
        short: count('Units declined'),
        linesPerHour,
      }),
      { max: USERS_MAX },
      { description: 'Users with most lines first' },
    ),
    totals: object({ ...numbers, linesPerHour }, { description: 'Sums of all days' }),
    oldestOrder: Optional(
      object(
        {
          fulfillmentOrderId: text(1, 40),
          storeId: text(1, 40),
          queueId: text(1, 40),
          since: dateTime({ description: 'When it entered the queue' }),
        },
        { description: 'Order that has stood on its queue for longest; left out: none waits' },
      ),
    ),
  }),
);
export type NodeBoards = Static<typeof NodeBoards>;

/** Named schemas of the boards, for the document. */
export const boardsSchemas = [NodeBoards];
