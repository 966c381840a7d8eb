/** Reads the rows that an action on a return needs, and plans the action: to carry it out, or for a preview. */
import type { ReadCtx } from '../../platform/ctx.ts';
import type { FulfillmentOrderRow, ReturnLineRow, ReturnRow } from '../../platform/storage/tables.ts';
import type { Action, Plan, Subject } from './action.ts';
import { planReturn } from './plan.ts';
import { findHeld, findReceipts, findReturnSettings, readFacts, wasClosed } from './subject.ts';

/** Data that an action needs besides the return. */
export interface Facts {
  /** Items that the client does not take back. */
  excluded?: ReadonlySet<string>;
  /** Locks the refunds of the orders. */
  lock?: boolean;
}

/** A return, or the row of a new return. */
export interface Target {
  row: ReturnRow;
  lines: readonly ReturnLineRow[];
  orders: readonly FulfillmentOrderRow[];
  isNew?: boolean;
  /** Whether the service has chosen the number of the new return. */
  hasOwnNumber?: boolean;
}

/** Plans an action on a return. */
export async function plannedFor(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'now' | 'newId'>,
  { row, lines, orders, isNew = false }: Target,
  action: Action,
  { excluded = new Set(), lock = false }: Facts = {},
): Promise<Plan> {
  const { client_id: clientId, store_id: storeId, return_id: returnId } = row;
  const { settings } = await findReturnSettings(ctx.db, { clientId, storeId });
  const needsReceipts = ['correct', 'dispose', 'close', 'match'].includes(action.type);
  const subject: Subject = {
    row,
    lines,
    orders: await readFacts(ctx, clientId, orders, { exceptReturnId: returnId, lock }),
    held: isNew ? [] : await findHeld(ctx.db, row),
    receipts: needsReceipts ? await findReceipts(ctx.db, row) : [],
    wasClosed: action.type === 'correct' && (await wasClosed(ctx.db, row)),
    excluded,
  };
  return planReturn(subject, action, { settings, now: ctx.now, newId: ctx.newId });
}
