/** Count plans in responses. A plan that is being counted shows neither levels nor counts. */
import { findLevels } from '../../kernel/stock.ts';
import type { StockNode } from '../../kernel/stock-terms.ts';
import type { Actor, ReadCtx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import type { CountPlanLineRow, CountPlanRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { judgeLines } from '../count-lines.ts';
import { lastCount, type Subject } from './plan.ts';
import type { CountPlan, CountPlanLine, CountPlanSummary } from './schema.ts';
import { countPlanActions } from './states.ts';

/** Numbers of lines by state. */
export interface Totals {
  lines: number;
  toCount: number;
  countAgain: number;
  counted: number;
}

export function totalsOf(lines: readonly Pick<CountPlanLineRow, 'state'>[]): Totals {
  const many = (state: CountPlanLineRow['state']) => lines.filter((line) => line.state === state).length;
  return {
    lines: lines.length,
    toCount: many('TO_COUNT'),
    countAgain: many('COUNT_AGAIN'),
    counted: many('COUNTED'),
  };
}

export function showSummary(row: CountPlanRow, totals: Totals): CountPlanSummary {
  return {
    planId: row.plan_id,
    ...(row.name !== null && { name: row.name }),
    state: row.state,
    rule: readJson(row.rule),
    secondCount: row.second_count,
    createdBy: row.created_by,
    createdAt: formatDateTime(row.created_at),
    ...(row.opened_by !== null && { openedBy: row.opened_by, openedAt: formatDateTime(row.opened_at!) }),
    ...(row.counted_at !== null && { countedAt: formatDateTime(row.counted_at) }),
    ...(row.approved_by !== null && { approvedBy: row.approved_by, approvedAt: formatDateTime(row.approved_at!) }),
    totals,
  };
}

/** Shows a plan to a caller. */
export async function showPlan(ctx: ReadCtx, node: StockNode, { row, lines }: Subject): Promise<CountPlan> {
  const revisions = row.state === 'OPEN' ? await revisionsOf(ctx, node, lines) : undefined;
  const isShown = (row.state === 'COUNTED' || row.state === 'APPROVED') && mayApprove(ctx.actor);
  const differences = isShown ? await differencesOf(ctx, node, row, lines) : undefined;
  return {
    ...showSummary(row, totalsOf(lines)),
    lines: lines.map((line, index): CountPlanLine => {
      return {
        itemId: line.item_id,
        place: line.place,
        ...(line.bin !== null && { bin: line.bin }),
        state: line.state,
        ...(revisions !== undefined && line.state !== 'COUNTED' && { revision: revisions.get(line.item_id) ?? 0 }),
        ...(line.first_by !== null && { firstBy: line.first_by }),
        ...(line.second_by !== null && { secondBy: line.second_by }),
        ...(differences !== undefined && {
          firstCounted: line.first_counted!,
          ...(line.second_counted !== null && { secondCounted: line.second_counted }),
          difference: differences[index]!,
        }),
      };
    }),
    allowedActions: countPlanActions(row.state, lines.length),
  };
}

/** Whether the caller has permission to approve counts, and therefore gets the counted units. */
function mayApprove({ kind, permissions = [], groups = [] }: Actor): boolean {
  if (kind === 'user') return permissions.includes('stock.adjust');
  return kind !== 'client' || groups.includes('stock');
}

async function revisionsOf(ctx: ReadCtx, node: StockNode, lines: readonly CountPlanLineRow[]) {
  const levels = await findLevels(ctx, node, [...new Set(lines.map((line) => line.item_id))]);
  return new Map([...levels].map(([itemId, { revision }]) => [itemId, revision]));
}

/**
 * Returns the difference of each line, in the order of the lines. Before the approval, this is the difference that an
 * approval posts if it happens now.
 */
async function differencesOf(
  ctx: ReadCtx,
  node: StockNode,
  row: CountPlanRow,
  lines: readonly CountPlanLineRow[],
): Promise<number[]> {
  if (row.state === 'APPROVED') return lines.map((line) => line.difference!);
  const levels = await findLevels(ctx, node, [...new Set(lines.map((line) => line.item_id))]);
  const counted = lines.map((line) => ({ ...lastCount(line)!, itemId: line.item_id, place: line.place }));
  return (await judgeLines(ctx, node, counted, levels)).map(({ difference }) => difference);
}
