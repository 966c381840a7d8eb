/**
 * Hand-overs and deliveries of an order: what went and what was refused, once each. A row keeps how the person was verified,
 * never a number of a document and never a PIN.
 */
import type { Ctx } from '../ctx.ts';
import { record } from '../events.ts';
import { conflict } from '../http/errors.ts';
import { chargeUnits, type GoingUnits } from '../orders/charges.ts';
import type { OrderAction } from '../orders/lifecycle.ts';
import { nameOf } from '../orders/refusals.ts';
import { type Settled, settleOrder } from '../orders/settle.ts';
import { statusOf } from '../orders/status.ts';
import { findLines } from '../orders/store.ts';
import { leftUnits } from '../orders/units.ts';
import { sha256 } from '../secrets.ts';
import type { Reader } from '../storage/db.ts';
import type { FulfillmentOrderRow, HandOverRow, OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import type { LineAnswer } from './rules.ts';
import type { Collector } from './schema.ts';

/** One hand-over as a message wishes it. */
export interface HandOver {
  /** The caller's id, where it gave one. */
  id: string | undefined;
  collectedBy: Collector;
  verificationMethod: string | null;
  /** `all`: every wanted unit went. */
  lines: readonly LineAnswer[] | 'all';
}

/** Hand-overs of an order in their order. */
export function findHandOvers(db: Reader, order: FulfillmentOrderRow): Promise<HandOverRow[]> {
  return db
    .selectFrom('hand_overs')
    .selectAll()
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('position')
    .execute();
}

/** Whether a hand-over under this id was done before. */
export function isKnown(before: readonly HandOverRow[], id: string | undefined): boolean {
  return id !== undefined && before.some((row) => row.hand_over_id === id);
}

/**
 * Whether a hand-over is one that was done before: the same id with the same content, or, without an id, the same content as
 * the last one of an order of which nothing is left to hand over.
 * @throws Refusal 409: the same id with other content.
 */
export function isRepeated(
  order: FulfillmentOrderRow,
  before: readonly HandOverRow[],
  wish: HandOver,
  isOpen: boolean,
): boolean {
  const hash = contentHash(wish);
  if (wish.id === undefined) return !isOpen && before.at(-1)?.content_hash === hash;
  const known = before.find((row) => row.hand_over_id === wish.id);
  if (known === undefined) return false;
  if (known.content_hash === hash) return true;
  const id = JSON.stringify(wish.id);
  throw conflict(`${nameOf(order)} has a hand-over ${id} already, with other content; take a new id for another one.`);
}

/** Who handed over and what a PIN was are not part of the content. */
function contentHash({ collectedBy, verificationMethod, lines }: HandOver): string {
  const units = lines === 'all' ? 'all' : lines.map((line) => [line.lineIndex, line.handed, line.refused, line.reason]);
  return sha256(JSON.stringify([collectedBy, verificationMethod, units]));
}

const ANSWER_COLUMNS = { lineIndex: 'integer', handed: 'integer', refused: 'integer', reason: 'text' } as const;

/** Gives units of a locked order away: the lines, what they cost, where the order stands, the hand-over itself and its event. */
export async function giveAway(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  wish: HandOver,
  how: { action: Extract<OrderAction, 'handOver' | 'deliver'>; event: string; position: number; associate: string },
): Promise<Settled & { handOverId: string }> {
  const key = { client_id: order.client_id, fulfillment_order_id: order.fulfillment_order_id };
  const before = await findLines(ctx, key.client_id, [key.fulfillment_order_id]);
  const answers = wish.lines === 'all' ? everything(before) : wish.lines;
  const handOverId = wish.id ?? ctx.newId();
  const charged = await chargeUnits(ctx, order, goingUnits(before, answers), handOverId);
  await saveAnswers(ctx, key, answers);
  const lines = await findLines(ctx, key.client_id, [key.fulfillment_order_id]);
  const columns = { pin_attempts: 0, pin_locked_until: null, pin_unlocks: 0 };
  const settled = await settleOrder(ctx, settings, order, how.action, lines, { columns });
  const row: HandOverRow = {
    ...key,
    hand_over_id: handOverId,
    position: how.position,
    content_hash: contentHash(wish),
    collected_by: wish.collectedBy,
    verification_method: wish.verificationMethod,
    modify_associate_id: how.associate,
    lines: JSON.stringify(answers),
    at: ctx.now,
  };
  await ctx.db.insertInto('hand_overs').values(row).execute();
  await record(ctx, {
    clientId: key.client_id,
    type: how.event,
    resource: 'order',
    resourceId: key.fulfillment_order_id,
    revision: settled.revision,
    data: {
      handOverId,
      modifyAssociateId: how.associate,
      ...statusOf(settings, settled.standing.status),
      collectedBy: wish.collectedBy,
      verificationMethod: wish.verificationMethod,
      handedOverQuantity: sum(answers, (answer) => answer.handed),
      refusedQuantity: sum(answers, (answer) => answer.refused),
      toHandOverQuantity: sum(lines, leftUnits),
      ...(charged && { orderTotal: charged.orderTotal }),
    },
  });
  return { ...settled, handOverId };
}

function goingUnits(lines: readonly OrderLineRow[], answers: readonly LineAnswer[]): GoingUnits[] {
  const handed = new Map(answers.map((answer) => [answer.lineIndex, answer.handed]));
  return lines.map((line) => ({ line, units: handed.get(line.line_index) ?? 0, from: line.handed_over }));
}

function everything(lines: readonly OrderLineRow[]): LineAnswer[] {
  return lines
    .filter((line) => leftUnits(line) > 0)
    .map((line) => ({ lineIndex: line.line_index, handed: leftUnits(line), refused: 0, reason: null }));
}

/** The answers are materialized: else SQLite reads all of them again for each line of the table. */
async function saveAnswers(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  key: { client_id: string; fulfillment_order_id: string },
  answers: readonly LineAnswer[],
): Promise<void> {
  await ctx.db
    .with(
      (cte) => cte('answer').materialized(),
      () => ctx.dialect.rowsOf(answers, ANSWER_COLUMNS),
    )
    .updateTable('order_lines')
    .from('answer')
    .set((eb) => ({
      handed_over: eb('order_lines.handed_over', '+', eb.ref('answer.handed')),
      refused: eb('order_lines.refused', '+', eb.ref('answer.refused')),
      refuse_reason: eb.fn.coalesce('answer.reason', 'order_lines.refuse_reason'),
    }))
    .where('client_id', '=', key.client_id)
    .where('fulfillment_order_id', '=', key.fulfillment_order_id)
    .whereRef('order_lines.line_index', '=', 'answer.lineIndex')
    .execute();
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
