import { arrived, type Booked } from '../kernel/inbound.ts';
import { findSettings } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { badValue } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import type { Key } from './announced.ts';
import { Booking, findCartonWork, saveBooking, updateShipment } from './booking.ts';
import { recordCompleted, recordMatched } from './inbound-events.ts';
import { requireOpen, voidedMeanwhile } from './inbound-refusals.ts';
import { inboundType, OfSeller } from './path.ts';
import { MatchMessage, matchReply } from './receipt-schema.ts';
import { contentHash } from './receipts-store.ts';
import {
  allKeys,
  findOfNode,
  isSomething,
  keyOf,
  keyState,
  type Loaded,
  loadShipment,
  lockShipment,
  type Named,
  showSums,
} from './shipment.ts';

/** Moves goods without papers to the announcement that came late. */
export const matchInbound = writeOperation({
  id: 'matchInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/match',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receive',
  // Its type and number are those of the other shipment.
  ownAgreement: true,
  repeat: 'same',
  summary: 'Match goods without papers with their ASN or PO',
  description:
    'Moves what was received without papers (type BLIND) to an ASN or PO of the node that came late. Units of a carton that the ASN announces are of this carton, units without a carton fill what is open of their item; the rest is not announced. Now it is judged: what exceeds announced and tolerance is held. Afterwards the BLIND shipment is CLOSED with sums of 0. The same match again is a repeat.',
  query: OfSeller,
  body: MatchMessage,
  replies: { 200: { description: 'The shipment that has the goods now', schema: matchReply } },
  refusals: {
    404: 'The node has no such shipment, or nothing to match it with.',
    409: 'NOT_OPEN: one of both is closed; or AMBIGUOUS_NUMBER.',
  },
  errors: 'problem',
  async handle(ctx, { params, clientId, client, node, query, body }) {
    if (inboundType(params.type) !== 'BLIND') {
      throw badValue('path:type', 'enum', 'only goods without papers are matched: type in the path must be BLIND');
    }
    const named = { clientId, node, type: 'BLIND' as const, number: params.number, sellerId: query.sellerId };
    const { blind, target } = await lockBoth(ctx, named, { ...named, ...body, sellerId: body.sellerId });
    const matchedTo = { type: body.type, number: target.number, sellerId: target.seller_id };
    if (blind.matched_to === JSON.stringify(matchedTo)) {
      const loaded = await loadShipment(ctx, client, target);
      return reply(200, { ...matchedTo, state: target.status, sums: showSums(loaded) });
    }
    requireOpen(blind, 'match');
    requireOpen(target, 'match');
    const userId = body.userId ?? ctx.actor.session?.userId ?? (JSON.parse(blind.doc) as { userId: string }).userId;
    const [from, to] = [await loadShipment(ctx, client, blind), await loadShipment(ctx, client, target)];
    const [leaving, coming] = moved(from, to);
    coming.hold((await findSettings(ctx.db, clientId)).receiving.over);
    const fact = { kind: 'MATCH' as const, userId, at: ctx.now, hash: contentHash(matchedTo) };
    const cartonIds = (of: Loaded, booking: Booking) =>
      findCartonWork(ctx, of.row, [...new Set(booking.touched.flatMap(({ cartonId }) => cartonId || []))]);
    const blindName = { type: 'BLIND' as const, number: blind.number, sellerId: blind.seller_id };
    // The goods are there before they leave: so no place has less than nothing in between.
    const saved = await saveBooking(
      ctx,
      coming,
      { ...fact, id: nameOf(blindName), doc: { matched: blindName } },
      await cartonIds(to, coming),
    );
    await saveBooking(
      ctx,
      leaving,
      { ...fact, id: nameOf(matchedTo), doc: { matched: matchedTo } },
      await cartonIds(from, leaving),
    );
    const closed = {
      ...from.row,
      status: 'CLOSED' as const,
      cartons_done: from.row.cartons,
      matched_to: JSON.stringify(matchedTo),
    };
    await updateShipment(ctx, closed);
    await recordMatched(ctx, closed, saved.row, userId, coming);
    if (saved.isCompleted) await recordCompleted(ctx, saved.row);
    return reply(200, { ...matchedTo, state: saved.row.status, sums: showSums(to) });
  },
});

function nameOf({ type, number, sellerId }: { type: string; number: string; sellerId: string }): string {
  return sellerId === '' ? `${type}/${number}` : `${type}/${sellerId}/${number}`;
}

/** Both shipments, locked in the order of their type, number and seller, so that two matches never wait for each other. */
async function lockBoth(ctx: Ctx, blind: Named, target: Named) {
  const found = [await findOfNode(ctx.db, ctx.actor, blind), await findOfNode(ctx.db, ctx.actor, target)] as const;
  const locked = new Map<InboundShipmentRow, InboundShipmentRow>();
  for (const row of found.toSorted(inOrder)) {
    const now = await lockShipment(ctx.db, row);
    // Voided since it was found, and perhaps announced anew.
    if (now?.message_id !== row.message_id) throw voidedMeanwhile(row);
    locked.set(row, now);
  }
  return { blind: locked.get(found[0])!, target: locked.get(found[1])! };
}

function inOrder(a: InboundShipmentRow, b: InboundShipmentRow): number {
  const [left, right] = [a, b].map((row) => JSON.stringify([row.type, row.number, row.seller_id])) as [string, string];
  return left < right ? -1 : 1;
}

/** The goods as they leave one shipment and come to the other. */
function moved(from: Loaded, to: Loaded): [Booking, Booking] {
  const [leaving, coming] = [new Booking(from, 'MATCH'), new Booking(to, 'MATCH')];
  // Those with a carton first: what is without one fills what is left of its item.
  const keys = [...allKeys(from)].sort((a, b) => Number(a.cartonId === '') - Number(b.cartonId === ''));
  for (const key of keys) {
    const { staged, decided: _decided, ...units } = keyState(from, key);
    if (!isSomething(units)) continue;
    const atStage = staged;
    for (const [onStage, part] of byPlace(units, atStage)) {
      for (const [target, share] of shares(to, key, part)) {
        coming.add({ key: target, units: share, place: onStage ? 'STAGE' : 'SHELF' });
      }
      const back: Booked = { good: -part.good, damaged: -part.damaged, refused: -part.refused, held: -part.held };
      leaving.add({ key, units: back, place: onStage ? 'STAGE' : 'SHELF' });
    }
  }
  return [leaving, coming];
}

/** Good units on STAGE, and all the rest. */
function byPlace(units: Booked, staged: number): [boolean, Booked][] {
  const rest = { ...units, good: units.good - staged };
  const onStage = { good: staged, damaged: 0, refused: 0, held: 0 };
  return [
    ...(staged > 0 ? [[true, onStage] as [boolean, Booked]] : []),
    ...(isSomething(rest) ? [[false, rest] as [boolean, Booked]] : []),
  ];
}

/** Which keys of the announcement get units: their carton's, else those of the item as far as they are open, the rest none. */
function shares(to: Loaded, key: Key, units: Booked): [Key, Booked][] {
  if (to.row.type === 'PO') return [[keyOf(to, '', key.itemId), units]];
  if (key.cartonId !== '') return [[keyOf(to, key.cartonId, key.itemId), units]];
  const found: [Key, Booked][] = [];
  let left = units;
  for (const one of to.announced.keys.values()) {
    if (one.itemId !== key.itemId) continue;
    const open = Math.max(0, one.announced - arrived(keyState(to, one)));
    const [part, rest] = split(left, open);
    if (isSomething(part)) found.push([one, part]);
    left = rest;
  }
  return isSomething(left) ? [...found, [keyOf(to, '', key.itemId), left]] : found;
}

/** The first so many units, and the others. */
function split(units: Booked, most: number): [Booked, Booked] {
  let left = most;
  const take = (quantity: number) => {
    const part = Math.min(left, quantity);
    left -= part;
    return part;
  };
  const part = {
    good: take(units.good),
    damaged: take(units.damaged),
    refused: take(units.refused),
    held: take(units.held),
  };
  const rest = {
    good: units.good - part.good,
    damaged: units.damaged - part.damaged,
    refused: units.refused - part.refused,
    held: units.held - part.held,
  };
  return [part, rest];
}
