/**
 * Plans an action on a count plan. The functions use neither database nor clock. A line is counted once, or twice by
 * two users. An approval posts the last count of each line.
 */
import type { Effect } from '../../events/record.ts';
import type { StockPlace } from '../../kernel/stock-terms.ts';
import { badRequest, conflict, type Refusal } from '../../platform/http/errors.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import { quote } from '../../platform/message/words.ts';
import type { CountPlanLineRow, CountPlanRow } from '../../platform/storage/tables.ts';
import { EVENT_LINES_MAX } from '../../shared/limits.ts';
import { say } from '../sentences.ts';
import { COUNT_PLAN_TRANSITIONS, type CountPlanState, countPlanBlock } from './states.ts';

/** The item and the place that identify a line. */
export interface LineKey {
  itemId: string;
  place: StockPlace;
}

/** A count of a line, as a user sent it. */
export interface SentLine extends LineKey {
  counted: number;
  revision: number;
  /** Whether the count differs from the ledger by more than the tolerance. */
  isBeyond: boolean;
}

/** A line to add, with the pick location of its item. */
interface AddedLine extends LineKey {
  bin: string | null;
}

/** The last count of a line, compared with the ledger. */
interface FinalLine {
  lineIndex: number;
  difference: number;
}

export type Action =
  | { type: 'open'; userId: string }
  | { type: 'change'; userId: string; add: readonly AddedLine[]; remove: readonly LineKey[] }
  | { type: 'count'; userId: string; countId: string; lines: readonly SentLine[] }
  | { type: 'recount'; userId: string; lines: readonly LineKey[] }
  | { type: 'approve'; userId: string; lines: readonly FinalLine[] }
  | { type: 'discard'; userId: string };

/** A locked plan. */
export interface Subject {
  row: CountPlanRow;
  lines: readonly CountPlanLineRow[];
}

export type Plan =
  | { outcome: 'same' }
  | { outcome: 'rejected'; rejection: Refusal }
  | { outcome: 'gone'; events: readonly Effect[] }
  /** A draft with other lines. `lines` has all lines of the new draft. */
  | { outcome: 'replaced'; row: CountPlanRow; lines: readonly CountPlanLineRow[]; events: readonly Effect[] }
  | { outcome: 'changed'; row: CountPlanRow; lines: readonly CountPlanLineRow[]; events: readonly Effect[] };

/** Plans an action; `now` is its time. */
export function planCount(subject: Subject, action: Action, now: number): Plan {
  const { row } = subject;
  if (COUNT_PLAN_TRANSITIONS[row.state][action.type] === 'same') return { outcome: 'same' };
  const blocked = countPlanBlock(row.state, action.type, subject.lines.length);
  if (blocked !== undefined) {
    const said = say('Count plan {planId} does not allow this action: {blocked}. Nothing was changed.', {
      planId: quote(row.plan_id),
      blocked,
    });
    return { outcome: 'rejected', rejection: conflict(said, { state: row.state }) };
  }
  switch (action.type) {
    case 'change':
      return planChange(subject, action);
    case 'open':
      return planOpen(subject, action.userId, now);
    case 'count':
      return planLines(subject, action, now);
    case 'recount':
      return planRecount(subject, action);
    case 'approve':
      return planApproval(subject, action, now);
    case 'discard':
      return {
        outcome: 'gone',
        events: [
          { ...about(row), type: 'countPlan.discarded', data: { ...who(row, action.userId), state: row.state } },
        ],
      };
  }
}

/** Returns the last count of a line; undefined before the first count. */
export function lastCount(
  line: CountPlanLineRow,
): { userId: string; at: number; counted: number; revision: number } | undefined {
  if (line.second_count_id !== null) {
    return {
      userId: line.second_by!,
      at: line.second_at!,
      counted: line.second_counted!,
      revision: line.second_revision!,
    };
  }
  if (line.first_count_id === null) return undefined;
  return {
    userId: line.first_by!,
    at: line.first_at!,
    counted: line.first_counted!,
    revision: line.first_revision!,
  };
}

/** Maximum number of lines of a plan. */
export const PLAN_LINES_MAX = 1_000;

/**
 * Plans a change of a draft's lines. Adding a line that the draft has, or removing one that it lacks, changes nothing.
 */
function planChange({ row, lines }: Subject, { userId, add, remove }: Extract<Action, { type: 'change' }>): Plan {
  const gone = new Set(remove.map(keyOfLine));
  const known = new Set(lines.map((line) => keyOf(line.item_id, line.place)));
  const kept = lines.filter((line) => !gone.has(keyOf(line.item_id, line.place)));
  const added = add.filter((line) => !known.has(keyOfLine(line)));
  if (added.length === 0 && kept.length === lines.length) return { outcome: 'same' };
  if (kept.length + added.length > PLAN_LINES_MAX) {
    const message = say('the plan would have {n} lines, but a plan has at most {most}; add fewer lines', {
      n: kept.length + added.length,
      most: PLAN_LINES_MAX,
    });
    return { outcome: 'rejected', rejection: badRequest([fieldError('/add', 'maxItems', message, PLAN_LINES_MAX)]) };
  }
  const next = moved(row, 'DRAFT', {});
  const newIn = ({ itemId, place, bin }: AddedLine, index: number) => {
    return { ...newLine(row, { item_id: itemId, place, bin }), line_index: lines.length + index };
  };
  const after = [...kept, ...added.map(newIn)];
  after.sort((a, b) => compareBins(a, b) || a.line_index - b.line_index);
  const removed = lines.filter((line) => !kept.includes(line));
  return {
    outcome: 'replaced',
    row: next,
    lines: after.map((line, line_index) => ({ ...line, line_index })),
    events: [
      {
        ...about(next),
        type: 'countPlan.changed',
        data: {
          ...who(row, userId),
          lines: after.length,
          added: added.slice(0, EVENT_LINES_MAX).map(({ itemId, place }) => ({ itemId, place })),
          removed: removed.slice(0, EVENT_LINES_MAX).map(({ item_id, place }) => ({ itemId: item_id, place })),
        },
      },
    ],
  };
}

/** Compares lines by pick location, which is the order in which a user walks; items without a location come last. */
function compareBins(a: CountPlanLineRow, b: CountPlanLineRow): number {
  if (a.bin !== b.bin) return a.bin === null || (b.bin !== null && a.bin > b.bin) ? 1 : -1;
  return a.item_id === b.item_id ? 0 : a.item_id < b.item_id ? -1 : 1;
}

/** Returns a line that is not counted yet. */
export function newLine(
  { client_id, node_id, plan_id }: CountPlanRow,
  line: Pick<CountPlanLineRow, 'item_id' | 'place' | 'bin'>,
): CountPlanLineRow {
  return {
    client_id,
    node_id,
    plan_id,
    line_index: 0,
    ...line,
    state: 'TO_COUNT',
    first_count_id: null,
    first_by: null,
    first_at: null,
    first_counted: null,
    first_revision: null,
    second_count_id: null,
    second_by: null,
    second_at: null,
    second_counted: null,
    second_revision: null,
    difference: null,
  };
}

function planOpen({ row, lines }: Subject, userId: string, now: number): Plan {
  const next = moved(row, 'OPEN', { opened_by: userId, opened_at: now });
  return {
    outcome: 'changed',
    row: next,
    lines: [],
    events: [{ ...about(next), type: 'countPlan.opened', data: { ...who(row, userId), lines: lines.length } }],
  };
}

type Counting = Extract<Action, { type: 'count' }>;

function planLines({ row, lines }: Subject, action: Counting, now: number): Plan {
  const byKey = new Map(lines.map((line) => [keyOf(line.item_id, line.place), line]));
  const errors = action.lines.flatMap((sent, index) => errorOf(byKey, sent, action.userId, index));
  if (errors.length > 0) return { outcome: 'rejected', rejection: badRequest(errors) };
  const changed = action.lines.map((sent): CountPlanLineRow => {
    const line = byKey.get(keyOf(sent.itemId, sent.place))!;
    if (line.state === 'COUNT_AGAIN') {
      return {
        ...line,
        state: 'COUNTED',
        second_count_id: action.countId,
        second_by: action.userId,
        second_at: now,
        second_counted: sent.counted,
        second_revision: sent.revision,
      };
    }
    const isAgain = row.second_count === 'ALWAYS' || (row.second_count === 'DIFFERENT' && sent.isBeyond);
    return {
      ...line,
      state: isAgain ? 'COUNT_AGAIN' : 'COUNTED',
      first_count_id: action.countId,
      first_by: action.userId,
      first_at: now,
      first_counted: sent.counted,
      first_revision: sent.revision,
    };
  });
  const after = new Map([...lines, ...changed].map((line) => [line.line_index, line]));
  const left = [...after.values()].filter((line) => line.state !== 'COUNTED').length;
  const next = left === 0 ? moved(row, 'COUNTED', { counted_at: now }) : moved(row, 'OPEN', {});
  const counted = action.lines.map(({ itemId, place, counted: units }) => ({ itemId, place, counted: units }));
  return {
    outcome: 'changed',
    row: next,
    lines: changed,
    events: [
      {
        ...about(next),
        type: 'countPlan.counted',
        data: {
          ...who(row, action.userId),
          countId: action.countId,
          linesLeft: left,
          lines: counted.slice(0, EVENT_LINES_MAX),
        },
      },
    ],
  };
}

/**
 * Plans a recount of counted lines. With `second_count` NEVER, the counts of a line are removed. Otherwise, the last
 * count of a line becomes its first count, and another user counts the line a second time. Lines that are not COUNTED
 * do not change.
 */
function planRecount({ row, lines }: Subject, action: Extract<Action, { type: 'recount' }>): Plan {
  const byKey = new Map(lines.map((line) => [keyOf(line.item_id, line.place), line]));
  const errors = action.lines.flatMap((key, index) => (byKey.has(keyOfLine(key)) ? [] : [unknownLine(key, index)]));
  if (errors.length > 0) return { outcome: 'rejected', rejection: badRequest(errors) };
  const named = action.lines.map((key) => byKey.get(keyOfLine(key))!);
  const counted = named.filter(({ state }) => state === 'COUNTED');
  if (counted.length === 0) return { outcome: 'same' };
  const next = moved(row, 'OPEN', { counted_at: null });
  const open = lines.filter(({ state }) => state !== 'COUNTED').length;
  return {
    outcome: 'changed',
    row: next,
    lines: counted.map((line) => sentBack(line, row.second_count === 'NEVER')),
    events: [
      {
        ...about(next),
        type: 'countPlan.reopened',
        data: {
          ...who(row, action.userId),
          linesLeft: open + counted.length,
          lines: counted.slice(0, EVENT_LINES_MAX).map(({ item_id, place }) => ({ itemId: item_id, place })),
        },
      },
    ],
  };
}

function sentBack(line: CountPlanLineRow, isFromStart: boolean): CountPlanLineRow {
  const last = isFromStart ? undefined : lastCount(line);
  return {
    ...line,
    state: isFromStart ? 'TO_COUNT' : 'COUNT_AGAIN',
    first_count_id: isFromStart ? null : (line.second_count_id ?? line.first_count_id),
    first_by: last?.userId ?? null,
    first_at: last?.at ?? null,
    first_counted: last?.counted ?? null,
    first_revision: last?.revision ?? null,
    second_count_id: null,
    second_by: null,
    second_at: null,
    second_counted: null,
    second_revision: null,
  };
}

function errorOf(
  byKey: ReadonlyMap<string, CountPlanLineRow>,
  { itemId, place }: SentLine,
  userId: string,
  index: number,
): FieldError[] {
  const line = byKey.get(keyOf(itemId, place));
  const name = say('{itemId} at {place}', { itemId: quote(itemId), place });
  if (line === undefined) return [unknownLine({ itemId, place }, index)];
  if (line.state === 'COUNTED') {
    const message = say('{name} is counted already by {userId}; leave the line out', {
      name,
      userId: quote(lastCount(line)!.userId),
    });
    return [fieldError(`/lines/${index}`, 'counted', message)];
  }
  if (line.state === 'COUNT_AGAIN' && line.first_by === userId) {
    const message = say('{userId} counted {name} first; another user must count it again', {
      userId: quote(userId),
      name,
    });
    return [fieldError(`/lines/${index}`, 'otherPerson', message)];
  }
  return [];
}

function planApproval({ row, lines }: Subject, action: Extract<Action, { type: 'approve' }>, now: number): Plan {
  const next = moved(row, 'APPROVED', { approved_by: action.userId, approved_at: now });
  const differences = new Map(action.lines.map(({ lineIndex, difference }) => [lineIndex, difference]));
  const changed = lines.map((line) => ({ ...line, difference: differences.get(line.line_index)! }));
  const shown = changed.slice(0, EVENT_LINES_MAX).map((line) => ({
    itemId: line.item_id,
    place: line.place,
    counted: lastCount(line)!.counted,
    difference: line.difference,
  }));
  return {
    outcome: 'changed',
    row: next,
    lines: changed,
    events: [{ ...about(next), type: 'countPlan.approved', data: { ...who(row, action.userId), lines: shown } }],
  };
}

function moved(row: CountPlanRow, state: CountPlanState, fields: Partial<CountPlanRow>): CountPlanRow {
  return { ...row, ...fields, state, revision: row.revision + 1 };
}

/** Returns the fields that name the plan in its events. */
export function about(row: CountPlanRow) {
  return {
    clientId: row.client_id,
    resource: 'countPlan' as const,
    resourceId: `${row.node_id}/${row.plan_id}`,
    revision: row.revision,
  };
}

/** Returns the data fields that every event of a plan has. */
export const who = (row: CountPlanRow, userId: string) => ({ nodeId: row.node_id, planId: row.plan_id, userId });

const keyOf = (itemId: string, place: string) => `${itemId}\n${place}`;
const keyOfLine = ({ itemId, place }: LineKey) => keyOf(itemId, place);

function unknownLine({ itemId, place }: LineKey, index: number): FieldError {
  const name = say('{itemId} at {place}', { itemId: quote(itemId), place });
  const message = say(
    '{name} is not a line of the plan; send only lines of the plan, and count other items without a plan',
    { name },
  );
  return fieldError(`/lines/${index}`, 'exists', message);
}
