/**
 * Stores hand-overs and deliveries with the units that were handed over and the units that the customer rejected. A row
 * has the verification method, never the number of a document and never a PIN.
 */

import { findLines } from '../kernel/orders.ts';
import type { HandedUnits } from '../kernel/plan.ts';
import { nameOf } from '../kernel/refusals.ts';
import { leftUnits } from '../kernel/units.ts';
import { type Advanced, advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow, HandOverRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { hashOfProof, type Proof, sealProof } from './proof.ts';
import type { Collector } from './schema.ts';
import { say } from './sentences.ts';

/** A hand-over or delivery, from its message. */
export interface HandOver {
  /** The id of the hand-over, if the caller sent an id. */
  id: string | undefined;
  collectedBy: Collector;
  verificationMethod: string | null;
  proof?: Proof | undefined;
  /** `all`: every remaining unit of the order. */
  lines: readonly HandedUnits[] | 'all';
}

/** The columns that identify an earlier hand-over. */
type EarlierHandOver = Pick<HandOverRow, 'hand_over_id' | 'position' | 'content_hash'>;

/** Returns the hand-overs of an order, the oldest first. */
export function findHandOvers(db: Reader, order: FulfillmentOrderRow): Promise<EarlierHandOver[]> {
  return db
    .selectFrom('hand_overs')
    .select(['hand_over_id', 'position', 'content_hash'])
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .orderBy('position')
    .execute();
}

/** Whether an earlier hand-over has this id. */
export function isKnown(before: readonly EarlierHandOver[], id: string | undefined): boolean {
  return id !== undefined && before.some((row) => row.hand_over_id === id);
}

/**
 * Whether a hand-over is a retry. With an id, it is a retry if an earlier hand-over has this id and the same content.
 * Without an id, it is a retry if the order is no longer open for a hand-over and the last hand-over has the same
 * content.
 * @throws Refusal 409 for the same id with other content
 */
export function isRepeated(
  order: FulfillmentOrderRow,
  before: readonly EarlierHandOver[],
  handOver: HandOver,
  isOpen: boolean,
): boolean {
  const hash = contentHash(handOver);
  if (handOver.id === undefined) return !isOpen && before.at(-1)?.content_hash === hash;
  const known = before.find((row) => row.hand_over_id === handOver.id);
  if (known === undefined) return false;
  if (known.content_hash === hash) return true;
  const id = JSON.stringify(handOver.id);
  throw conflict(
    say('{order} already has a hand-over {id} with other content; send a new hand-over with a new id.', {
      order: nameOf(order),
      id,
    }),
  );
}

/** Returns a hash of the content, without associate and PIN. */
function contentHash({ collectedBy, verificationMethod, proof, lines }: HandOver): string {
  const units = lines === 'all' ? 'all' : lines.map((line) => [line.lineIndex, line.handed, line.refused, line.reason]);
  const content = [collectedBy, verificationMethod, units, ...(proof === undefined ? [] : [hashOfProof(proof)])];
  return sha256(JSON.stringify(content));
}

/**
 * Hands over or delivers units of a locked order: advances the order, charges the amounts and inserts the hand-over.
 */
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
      proof: handOver.proof?.kind,
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
    lines: stringifyJson(handed),
    at: ctx.now,
    ...sealProof(ctx, handOver.proof),
  };
  await ctx.db.insertInto('hand_overs').values(row).execute();
  return { ...advanced, handOverId };
}

function everything(lines: readonly OrderLineRow[]): HandedUnits[] {
  return lines
    .filter((line) => leftUnits(line) > 0)
    .map((line) => ({ lineIndex: line.line_index, handed: leftUnits(line), refused: 0, reason: null }));
}
