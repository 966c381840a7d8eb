/** Messages of count plans. */
import { AllowedAction } from '../../kernel/allowed.ts';
import { STOCK_PLACES } from '../../kernel/stock-terms.ts';
import { PageQuery, pageSchema } from '../../platform/http/list-page.ts';
import {
  dateTime,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  type TSchema,
  Type,
  text,
} from '../../platform/schema.ts';
import { COUNT_RULES } from './choose.ts';
import { PLAN_LINES_MAX } from './plan.ts';
import { COUNT_PLAN_STATES } from './states.ts';

const { Optional } = Type;

/**
 * Maximum number of items that a rule chooses. With five places each, they fill the 1,000 lines that a plan or a count
 * can have.
 */
const ITEMS_MAX = 200;
const ITEMS_DEFAULT = 50;
const LINES_MAX = PLAN_LINES_MAX;
const UNITS_MAX = 1_000_000_000;

const userId = identifier(64, { description: 'Login of the user' });
const secondCount = (description: string) => oneOf(['NEVER', 'DIFFERENT', 'ALWAYS'], { description });
const place = oneOf(STOCK_PLACES, { description: 'Place of the count' });
const counted = (description: string) => integer(0, UNITS_MAX, { description });

export const CountPlanPost = named(
  'CountPlanPost',
  object({
    planId: identifier(64, {
      description:
        'Your id for the count plan. It must differ from the ids of counts. If you send the same plan again, nothing changes',
    }),
    userId,
    name: Optional(text(1, 80, { description: 'Name that users read' })),
    rule: object(
      {
        type: oneOf(COUNT_RULES, {
          description:
            'NEVER_COUNTED: items without a count; MOVED_MOST: items with the most moves since their last count; BELOW_ZERO: items with more promised units than units on the shelf, items from which more units were taken than the ledger had, and items of rejected counts; BINS: items whose pick location begins with one of `bins`; ITEMS: no items; add the items with `changePlannedLines`',
        }),
        bins: Optional(
          list(
            identifier(40, { description: 'Prefix of pick locations' }),
            { min: 1, max: 50 },
            {
              description:
                'Prefixes of pick locations: `A-` selects every location that begins with `A-`. Required with the type BINS, and rejected with other types',
            },
          ),
        ),
        maxItems: Optional(integer(1, ITEMS_MAX, { description: `Maximum number of items; default ${ITEMS_DEFAULT}` })),
      },
      { description: 'Rule that chooses the items' },
    ),
    places: Optional(
      list(
        oneOf(STOCK_PLACES),
        { min: 1, max: STOCK_PLACES.length },
        {
          description: 'Places to count for each item, without repetition; default SHELF',
          uniqueItems: true,
        },
      ),
    ),
    secondCount: Optional(
      secondCount(
        'Lines that a second user counts again. DIFFERENT (default): lines that differ by more than the tolerance',
      ),
    ),
  }),
);
export type CountPlanPost = Static<typeof CountPlanPost>;

/** Returns the rule of a message, with its defaults. */
export function ruleOf({ rule, places = ['SHELF'] }: CountPlanPost) {
  return { type: rule.type, ...(rule.bins && { bins: rule.bins }), places, maxItems: rule.maxItems ?? ITEMS_DEFAULT };
}

const units = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description });
const lineCount = (description: string) => integer(0, LINES_MAX, { description });

const head = {
  planId: text(1, 64, { description: 'Id of the count plan' }),
  name: Optional(text(1, 80, { description: 'Name that users read' })),
  state: oneOf(COUNT_PLAN_STATES, {
    description:
      'DRAFT: not open yet; OPEN: to be counted; COUNTED: every line is counted, and the plan waits for approval; APPROVED: the levels include the counts',
  }),
  rule: object(
    {
      type: oneOf(COUNT_RULES, { description: 'Rule that chose the items' }),
      bins: Optional(
        list(
          text(1, 40),
          { max: 50 },
          { description: 'Prefixes of pick locations: `A-` selects every location that begins with `A-`' },
        ),
      ),
      places: list(place, { max: STOCK_PLACES.length }, { description: 'Places of each item' }),
      maxItems: integer(1, ITEMS_MAX, { description: 'Maximum number of items' }),
    },
    { description: 'Rule that chose the items' },
  ),
  secondCount: secondCount('Lines that a second user counts again'),
  createdBy: text(1, 64, { description: 'Login of the user who made the plan' }),
  createdAt: dateTime({ description: 'Time at which the plan was made' }),
  openedBy: Optional(text(1, 64, { description: 'Login of the user who opened the plan' })),
  openedAt: Optional(dateTime({ description: 'Time at which the plan was opened' })),
  countedAt: Optional(dateTime({ description: 'Time at which the last line was counted' })),
  approvedBy: Optional(text(1, 64, { description: 'Login of the user who approved the plan' })),
  approvedAt: Optional(dateTime({ description: 'Time at which the plan was approved' })),
  totals: object(
    {
      lines: lineCount('Lines of the plan'),
      toCount: lineCount('Lines without a count'),
      countAgain: lineCount('Lines that a second user has to count'),
      counted: lineCount('Lines that are counted'),
    },
    { description: 'Numbers of lines by state' },
  ),
};

export const CountPlanSummary = named('CountPlanSummary', object(head));
export type CountPlanSummary = Static<typeof CountPlanSummary>;

export const CountPlanLine = named(
  'CountPlanLine',
  object({
    itemId: text(1, 40, { description: 'Item to count' }),
    place,
    bin: Optional(text(1, 40, { description: 'Pick location of the item when the plan was made' })),
    state: oneOf(['TO_COUNT', 'COUNT_AGAIN', 'COUNTED'], {
      description:
        'TO_COUNT: not counted yet; COUNT_AGAIN: another user must count the line a second time; COUNTED: counted',
    }),
    revision: Optional(
      units(
        'Current revision of the level. Send this revision with a count that begins now. Present only on lines to count in an OPEN plan',
      ),
    ),
    firstBy: Optional(text(1, 64, { description: 'Login of the user of the first count' })),
    secondBy: Optional(text(1, 64, { description: 'Login of the user of the second count' })),
    firstCounted: Optional(counted('Units of the first count. Shown under the same conditions as `difference`')),
    secondCounted: Optional(counted('Units of the second count. Shown under the same conditions as `difference`')),
    difference: Optional(
      integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
        description:
          'Units of the last count minus the level at the revision of this count. Shown when every line is counted, and only to callers with permission to approve the plan',
      }),
    ),
  }),
);
export type CountPlanLine = Static<typeof CountPlanLine>;

export const CountPlan = named(
  'CountPlan',
  object({
    ...head,
    lines: list(
      ref<CountPlanLine>('CountPlanLine'),
      { max: LINES_MAX },
      { description: 'Items and places to count, in the order of their pick locations' },
    ),
    allowedActions: list(
      AllowedAction,
      { max: 10 },
      { description: 'Every action: allowed now, or blocked with the reason' },
    ),
  }),
);
export type CountPlan = Static<typeof CountPlan>;

export const CountPlansQuery = object({
  ...PageQuery.properties,
  state: Optional(oneOf(COUNT_PLAN_STATES, { description: 'Only plans in this state' })),
});

export const CountPlans = named('CountPlans', pageSchema('plans', ref<CountPlanSummary>('CountPlanSummary')));

export const PlannedCountPost = named(
  'PlannedCountPost',
  object({
    countId: identifier(64, { description: 'Your id for this count. If you send the id again, nothing changes' }),
    userId,
    lines: list(
      object({
        itemId: identifier(40, { description: 'Item of a line of the plan' }),
        place: Optional(oneOf(STOCK_PLACES, { description: 'Place of the line; default SHELF' })),
        counted: counted('Counted units'),
        revision: units('Revision of the line when its count began, as the plan shows it'),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Counted lines, without repetition' },
    ),
  }),
);
export type PlannedCountPost = Static<typeof PlannedCountPost>;

export const RecountPost = named(
  'RecountPost',
  object({
    userId,
    lines: list(
      object({
        itemId: identifier(40, { description: 'Item of a line of the plan' }),
        place: Optional(oneOf(STOCK_PLACES, { description: 'Place of the line; default SHELF' })),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Lines to count again, without repetition' },
    ),
  }),
);

const lineKeys = (description: string) =>
  Optional(
    list(
      object({
        itemId: identifier(40, { description: 'Item of the line' }),
        place: Optional(oneOf(STOCK_PLACES, { description: 'Place of the line; default SHELF' })),
      }),
      { min: 1, max: LINES_MAX },
      { description },
    ),
  );

export const PlannedLinesPost = named(
  'PlannedLinesPost',
  object({
    userId,
    add: lineKeys('Lines to add, without repetition'),
    remove: lineKeys('Lines to remove, without repetition'),
  }),
);

export const CountPlanProgress = named(
  'CountPlanProgress',
  object({ planId: head.planId, state: head.state, totals: head.totals }),
);

export const CountPlanUser = named('CountPlanUser', object({ userId }));

export const countPlanSchemas: readonly TSchema[] = [
  CountPlanPost,
  CountPlanSummary,
  CountPlanLine,
  CountPlan,
  CountPlans,
  PlannedCountPost,
  RecountPost,
  PlannedLinesPost,
  CountPlanProgress,
  CountPlanUser,
];
