/**
 * The only writer of count plans. It locks the plan, compares counts with the ledger, calls `plan.ts` to plan the
 * action, and writes the plan in the caller's transaction. An approval posts a count with the id of the plan, in the
 * same way as `countStock`.
 */
import { record, recordAll } from '../../events/record.ts';
import { scopeOf } from '../../kernel/commands.ts';
import { findSettings } from '../../kernel/settings.ts';
import type { StockNode } from '../../kernel/stock-terms.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { badRequest, conflict, type Refusal } from '../../platform/http/errors.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import { quote } from '../../platform/message/words.ts';
import { insertInto } from '../../platform/storage/insert.ts';
import type { CountPlanLineRow, CountPlanRow } from '../../platform/storage/tables.ts';
import { updateRows } from '../../platform/storage/update.ts';
import {
  type CountedLine,
  insertCountLines,
  isBeyond,
  type JudgedLine,
  judgeLines,
  lockCounted,
  mustBeOfThisPeriod,
  NOT_REJECTED,
  postLines,
  revisionErrors,
} from '../count-lines.ts';
import { findNewer, type NewerCount } from '../newer-counts.ts';
import { say } from '../sentences.ts';
import { findBins } from './choose.ts';
import { type Action, about, type LineKey, lastCount, planCount, type SentLine, type Subject, who } from './plan.ts';
import { lockPlan, ofPlan, planNotFound } from './rows.ts';

/** An action as sent, before the writer compares its counts with the ledger. */
export type Sent =
  | Extract<Action, { type: 'open' | 'recount' | 'discard' }>
  | { type: 'change'; userId: string; add: readonly LineKey[]; remove: readonly LineKey[] }
  | { type: 'count'; userId: string; countId: string; lines: readonly CountedLine[] }
  | { type: 'approve'; userId: string };

/** Inserts a new plan with its lines. */
export async function insertPlan(ctx: Ctx, row: CountPlanRow, lines: readonly CountPlanLineRow[]): Promise<void> {
  await ctx.db.insertInto('count_plans').values(row).execute();
  if (lines.length > 0) await insertLines(ctx, lines);
  const data = {
    ...who(row, row.created_by),
    rule: (JSON.parse(row.rule) as { type: string }).type,
    lines: lines.length,
  };
  await record(ctx, { ...about(row), type: 'countPlan.created', data });
}

/**
 * Carries out an action on a plan. Returns the plan afterwards; undefined if the plan is deleted.
 * @throws Refusal
 */
export async function writePlan(ctx: Ctx, node: StockNode, planId: string, sent: Sent): Promise<Subject | undefined> {
  const subject = await lockPlan(ctx, node, planId);
  if (subject === undefined) throw planNotFound(node, planId);
  const { action, judged } = await judge(ctx, node, subject, sent);
  const plan = planCount(subject, action, ctx.now);
  if (plan.outcome === 'rejected') throw plan.rejection;
  if (plan.outcome === 'same') return subject;
  await recordAll(ctx, plan.events);
  if (plan.outcome === 'gone') {
    await deletePlan(ctx, node, planId);
    return undefined;
  }
  if (plan.outcome === 'replaced') {
    await replaceLines(ctx, node, plan.row, plan.lines);
    return { row: plan.row, lines: plan.lines };
  }
  await save(ctx, plan.row, plan.lines);
  if (sent.type === 'approve') await post(ctx, node, plan.row, judged);
  const changed = new Map(plan.lines.map((line) => [line.line_index, line]));
  return { row: plan.row, lines: subject.lines.map((line) => changed.get(line.line_index) ?? line) };
}

/** The last count of a line, compared with the ledger. */
interface JudgedCount extends JudgedLine {
  lineIndex: number;
  userId: string;
  countedAt: number;
}

/**
 * Compares the counts of an action with the ledger and adds the results to the action. In states that reject the
 * action, nothing is compared.
 */
async function judge(
  ctx: Ctx,
  node: StockNode,
  { row, lines }: Subject,
  sent: Sent,
): Promise<{ action: Action; judged: readonly JudgedCount[] }> {
  if (sent.type === 'count' && row.state === 'OPEN') {
    const levels = await lockCounted(ctx, node, sent.lines);
    const errors = await revisionErrors(ctx, node, sent.lines, levels);
    if (errors.length > 0) throw badRequest(errors);
    const settings = await findSettings(ctx.db, node.clientId);
    const judged = await judgeLines(ctx, node, sent.lines, levels);
    const counted = judged.map((line): SentLine => ({ ...line, isBeyond: isBeyond(settings, line) }));
    return { action: { ...sent, lines: counted }, judged: [] };
  }
  if (sent.type === 'count') return { action: { ...sent, lines: [] }, judged: [] };
  if (sent.type === 'change') {
    const bins = await findBins(ctx, node, [...new Set(sent.add.map(({ itemId }) => itemId))]);
    const add = sent.add.map((line) => ({ ...line, bin: bins.get(line.itemId) ?? null }));
    return { action: { ...sent, add }, judged: [] };
  }
  if (sent.type === 'approve' && row.state === 'COUNTED') {
    const judged = await judgeFinal(ctx, node, row, lines);
    const changing = judged.filter(({ difference }) => difference !== 0);
    const newer = await findNewer(
      ctx,
      node,
      changing.map((line) => ({ ...line, at: line.countedAt })),
    );
    if (newer !== undefined) throw newerCount(row, newer);
    return { action: { ...sent, lines: judged }, judged };
  }
  return { action: sent.type === 'approve' ? { ...sent, lines: [] } : sent, judged: [] };
}

async function judgeFinal(
  ctx: Ctx,
  node: StockNode,
  row: CountPlanRow,
  lines: readonly CountPlanLineRow[],
): Promise<JudgedCount[]> {
  const counted = lines.map((line): CountedLine => {
    const { counted: units, revision } = lastCount(line)!;
    return { itemId: line.item_id, place: line.place, counted: units, revision };
  });
  const levels = await lockCounted(ctx, node, counted);
  mustBeOfThisPeriod(counted, levels, (itemId) => earlierPeriod(row, itemId));
  const judged = await judgeLines(ctx, node, counted, levels);
  return judged.map((line, index) => {
    const { userId, at } = lastCount(lines[index]!)!;
    return { ...line, lineIndex: lines[index]!.line_index, userId, countedAt: at };
  });
}

function newerCount({ plan_id: planId, state }: CountPlanRow, { itemId, countId }: NewerCount): Refusal {
  return conflict(
    say(
      'Count {newer} of {itemId} was posted after the item was counted for plan {planId}; nothing was changed. Request a new count of the line, and approve the plan after this count.',
      { newer: quote(countId), itemId: quote(itemId), planId: quote(planId) },
    ),
    { state, itemId, newerCountId: countId },
  );
}

function earlierPeriod({ plan_id: planId, state }: CountPlanRow, itemId: string): Refusal {
  return conflict(
    say(
      'Item {itemId} was counted for plan {planId} before the node began to keep stock again; nothing was changed. Discard the plan, or request a new count of the line.',
      { itemId: quote(itemId), planId: quote(planId) },
    ),
    { state, itemId },
  );
}

/** Posts the differences as a count with the id of the plan. */
async function post(ctx: Ctx, node: StockNode, row: CountPlanRow, lines: readonly JudgedCount[]): Promise<void> {
  const key = { client_id: row.client_id, node_id: row.node_id, count_id: row.plan_id };
  const latest = lines.reduce((last, line) => (line.countedAt >= last.countedAt ? line : last));
  const approved = { approved_by: row.approved_by, approved_at: ctx.now };
  await ctx.db
    .insertInto('stock_counts')
    .values({ ...key, state: 'POSTED', user_id: latest.userId, at: ctx.now, ...approved, ...NOT_REJECTED })
    .execute();
  await insertCountLines(
    ctx,
    lines.map(({ lineIndex, itemId, place, counted, revision, difference }) => ({
      ...key,
      line_index: lineIndex,
      item_id: itemId,
      place,
      counted,
      revision,
      state: 'POSTED' as const,
      difference,
    })),
  );
  await postLines(ctx, node, row.plan_id, row.approved_by!, lines);
}

/** Replaces all lines of a draft. */
async function replaceLines(
  ctx: Ctx,
  { clientId, nodeId }: StockNode,
  row: CountPlanRow,
  lines: readonly CountPlanLineRow[],
): Promise<void> {
  await save(ctx, row, []);
  await ctx.db
    .deleteFrom('count_plan_lines')
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('plan_id', '=', row.plan_id)
    .execute();
  if (lines.length > 0) await insertLines(ctx, lines);
}

async function save(ctx: Ctx, row: CountPlanRow, lines: readonly CountPlanLineRow[]): Promise<void> {
  const { client_id, node_id, plan_id, ...fields } = row;
  await ctx.db
    .updateTable('count_plans')
    .set(fields)
    .where('client_id', '=', client_id)
    .where('node_id', '=', node_id)
    .where('plan_id', '=', plan_id)
    .execute();
  const count = await updateLines(
    ctx,
    client_id,
    lines.map(({ client_id: _client, ...line }) => line),
  );
  if (count !== lines.length) throw new Error('a line of a locked count plan was changed');
}

/** Deletes a plan with its lines, and releases its id and those of its counts. */
async function deletePlan({ db }: Pick<Ctx, 'db'>, { clientId, nodeId }: StockNode, planId: string): Promise<void> {
  for (const table of ['count_plan_lines', 'count_plans'] as const) {
    await db
      .deleteFrom(table as 'count_plans')
      .where('client_id', '=', clientId)
      .where('node_id', '=', nodeId)
      .where('plan_id', '=', planId)
      .execute();
  }
  await db
    .deleteFrom('commands')
    .where('client_id', '=', clientId)
    .where('scope', '=', scopeOf('count', nodeId))
    .where('command_id', '=', planId)
    .execute();
  await db
    .deleteFrom('commands')
    .where('client_id', '=', clientId)
    .where('scope', '=', scopeOf('planCount', nodeId))
    .where('reply', '=', stringifyJson(ofPlan(planId)))
    .execute();
}

const LINE_COLUMNS = {
  node_id: 'text',
  plan_id: 'text',
  line_index: 'integer',
  item_id: 'text',
  place: 'text',
  bin: 'text',
  state: 'text',
  first_count_id: 'text',
  first_by: 'text',
  first_at: 'integer',
  first_counted: 'integer',
  first_revision: 'integer',
  second_count_id: 'text',
  second_by: 'text',
  second_at: 'integer',
  second_counted: 'integer',
  second_revision: 'integer',
  difference: 'integer',
} as const;

const insertLines = insertInto<CountPlanLineRow>('count_plan_lines', { client_id: 'text', ...LINE_COLUMNS });
const updateLines = updateRows<Omit<CountPlanLineRow, 'client_id'>>('count_plan_lines', LINE_COLUMNS, {
  key: ['node_id', 'plan_id', 'line_index'],
});
