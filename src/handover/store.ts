/**
 * Hand-overs and deliveries of an order: what went and what was refused, once each. A row keeps how the person was verified,
 * never a number of a document and never a PIN.
 */

import { findLines } from '../kernel/orders.ts';
import type { HandedUnits } from '../kernel/plan.ts';
import { nameOf } from '../kernel/refusals.ts';
import { leftUnits } from '../kernel/units.ts';
import { type Advanced, advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow, HandOverRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import type { Collector } from './schema.ts';

/** One hand-over as a message asks for it. */
export interface HandOver {
  /** The caller's id, where it gave one. */
  id: string | undefined;
  collectedBy: Collector;
  verificationMethod: string | null;
  /** `all`: every wanted unit went. */
  lines: readonly HandedUnits[] | 'all';
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
  handOver: HandOver,
  isOpen: boolean,
): boolean {
  const hash = contentHash(handOver);
  if (handOver.id === undefined) return !isOpen && before.at(-1)?.content_hash === hash;
  const known = before.find((row) => row.hand_over_id === handOver.id);
  if (known === undefined) return false;
  if (known.content_hash === hash) return true;
  const id = JSON.stringify(handOver.id);
  throw conflict(`${nameOf(order)} has a hand-over ${id} already, with other content; take a new id for another one.`);
}

/** Who handed over and what a PIN was are not part of the content. */
function contentHash({ collectedBy, verificationMethod, lines }: HandOver): string {
  const units = lines === 'all' ? 'all' : lines.map((line) => [line.lineIndex, line.handed, line.refused, line.reason]);
  return sha256(JSON.stringify([collectedBy, verificationMethod, units]));
}

/** Hands units of a locked order over, or delivers them: the order and its lines, the amounts charged, and the hand-over itself. */
export async function recordHandOver(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  handOver: HandOver,
  how: { action: 'handOver' | 'deliver'; position: number; associate: string },
): Promise<Advanced & { handOverId: string }> {
  const { client_id, fulfillment_order_id } = order;
  const lines = await findLines(ctx, client_id, [fulfillment_order_id]);
  const handed = handOver.lines === 'all' ? everything(lines) : handOver.lines;
  const handOverId = handOver.id ?? ctx.newId();
  const { collectedBy, verificationMethod } = handOver;
  const advanced = await advanceOrder(ctx, settings, {
    order,
    lines,
    action: {
      type: how.action,
      handOverId,
      modifyAssociateId: how.associate,
      collectedBy,
      verificationMethod,
      lines: handed,
    },
  });
  const row: HandOverRow = {
    client_id,
    fulfillment_order_id,
    hand_over_id: handOverId,
    position: how.position,
    content_hash: contentHash(handOver),
    collected_by: collectedBy,
    verification_method: verificationMethod,
    modify_associate_id: how.associate,
    lines: JSON.stringify(handed),
    at: ctx.now,
  };
  await ctx.db.insertInto('hand_overs').values(row).execute();
  return { ...advanced, handOverId };
}

function everything(lines: readonly OrderLineRow[]): HandedUnits[] {
  return lines
    .filter((line) => leftUnits(line) > 0)
    .map((line) => ({ lineIndex: line.line_index, handed: leftUnits(line), refused: 0, reason: null }));
}
