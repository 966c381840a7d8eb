/**
 * The moves of clerks on announced shipments: scans of whole cartons, counts, corrections, approvals, closes and
 * reopens.
 */

import {
  approved,
  arrived,
  type Booked,
  booked,
  holdUnits,
  type KeyState,
  unitsToHold,
  wholeUnits,
} from '../../../src/kernel/arrivals/sums.ts';
import { NOTHING, type Shipment, type World } from '../world.ts';
import type { Clerk, Move, Moves, Receipt, Wish } from './clerk.ts';
import { type Flow, flowed } from './stock.ts';
import { CLIENT, OTHER_NODE_ID, WHO } from './words.ts';

const PATH = `${CLIENT}/nodes/${OTHER_NODE_ID}/inbound/ASN`;
export const TOLERANCE = { percent: 0, units: 0 };

/** Suffix of the ids of receipts. Approvals and matches have other suffixes. */
export const RECEIPT = '-r';

export const cartonOf = (index: number) => `C${index}`;

const isOpen = ({ state }: Shipment) => state !== 'CLOSED';
const openOf = ({ units, keys }: Shipment, index: number) => Math.max(0, units[index]! - arrived(keys[index]!));

/** Returns whether the shipment has no open units and was never in this state before. */
export const isDoneBy = (shipment: Shipment) =>
  !shipment.isComplete && shipment.keys.every((_key, index) => openOf(shipment, index) === 0);

/** Returns the request of a receipt, with its effect at this time; undefined if the service would reject it. */
function wishOf(clerk: Clerk, receipt: Receipt): Wish | undefined {
  const { number, receiptId, index, as, to, corrects } = receipt;
  const before = clerk.world.get(`inbound:${number}`) as Shipment;
  const cartonId = cartonOf(index);
  const kinds = receipt.units;
  const body = {
    receiptId,
    userId: WHO,
    ...(as !== undefined && { cartons: [{ cartonId, as, reason: 'SEEN', ...(as === 'GOOD' && { to }) }] }),
    ...(kinds !== undefined && {
      lines: [{ cartonId, itemId: before.items[index], ...kinds, reason: 'SEEN', ...(kinds.good !== 0 && { to }) }],
    }),
    ...(corrects !== undefined && { corrects }),
  };
  const wish = { method: 'POST', path: `${PATH}/${number}/receipts`, body } as const;
  if (before.receipts.includes(receiptId)) return { ...wish, effect: NOTHING, events: 0 };
  const key = before.keys[index]!;
  const isScan = as !== undefined;
  if (!isOpen(before) || (before.whole[index] !== null && corrects === undefined)) return undefined;
  if (isScan && arrived(key) > 0) return undefined;
  const units = isScan ? wholeUnits(as, openOf(before, index)) : kinds!;
  if (Object.entries(units).some(([kind, more]) => key[kind as keyof Booked] + more < 0)) return undefined;
  const { after, flows } = bookedAt(before.units[index]!, key, units, to);
  // A correction that makes units open again also undoes the scan of the whole carton.
  const isOpenAgain = arrived(after) < before.units[index]!;
  const next: Shipment = {
    ...before,
    state: 'RECEIVING',
    keys: before.keys.with(index, after),
    whole: before.whole.with(index, isOpenAgain ? null : (as ?? before.whole[index]!)),
    receipts: [...before.receipts, receiptId],
  };
  const isDone = isDoneBy(next);
  const effect: World = new Map();
  effect.set(`inbound:${number}`, isDone ? { ...next, isComplete: true } : next);
  flowed(clerk, before.items[index]!, flows, effect);
  return { ...wish, effect, events: isDone ? 2 : 1 };
}

/**
 * Returns a key after a booking, and the moves of its units. Excess units are held: first units of this booking, then
 * earlier units.
 */
function bookedAt(announced: number, key: KeyState, units: Booked, to: 'SHELF' | 'STAGE') {
  const back = Math.max(0, -units.good);
  const shelf = key.good - key.staged;
  const fromStage = to === 'STAGE' ? Math.min(back, key.staged) : Math.max(0, back - shelf);
  const staged = units.good > 0 && to === 'STAGE' ? units.good : -fromStage;
  const came = booked(key, units, staged);
  const more = unitsToHold(announced, came, TOLERANCE);
  const { after, own, earlier } = heldOf(came, more, { [to]: Math.max(0, units.good) });
  const flows: Flow[] = [
    ['SUPPLIER', 'SHELF', units.good - staged - own.SHELF],
    ['SUPPLIER', 'STAGE', staged - own.STAGE],
    ['SUPPLIER', 'DAMAGED', units.damaged],
    ['SUPPLIER', 'HELD', units.held + own.SHELF + own.STAGE],
    ...earlier,
  ];
  return { after, flows };
}

/**
 * Moves units in excess of the tolerance to HELD: first units of this booking, then earlier units. In both groups,
 * units on the shelf come before units on the stage.
 */
export function heldOf(came: KeyState, more: number, now: { SHELF?: number; STAGE?: number }) {
  const shelf = Math.min(more, now.SHELF ?? 0);
  const own = { SHELF: shelf, STAGE: Math.min(more - shelf, now.STAGE ?? 0) };
  const left = more - own.SHELF - own.STAGE;
  const fromShelf = Math.min(left, came.good - came.staged - own.SHELF);
  const earlier: Flow[] = [
    ['SHELF', 'HELD', fromShelf],
    ['STAGE', 'HELD', left - fromShelf],
  ];
  return { after: holdUnits(came, more, own.STAGE + left - fromShelf), own, earlier };
}

const shipments = (clerk: Clerk, isWanted: (shipment: Shipment) => boolean) =>
  clerk.all<Shipment>('inbound', (shipment) => isWanted(shipment));

const received: Move = (clerk) => {
  const found = clerk.pick(shipments(clerk, isOpen));
  if (found === undefined) return undefined;
  const [number, { units, keys, whole, receipts }] = found;
  const index = clerk.below(units.length);
  const receipt: Receipt = {
    number,
    index,
    receiptId: clerk.newId(RECEIPT),
    to: clerk.chance(0.3) ? 'STAGE' : 'SHELF',
  };
  const key = keys[index]!;
  if (arrived(key) > 0 && clerk.chance(0.3)) {
    // The service checks a correction only against the sums of the key, so the correction can always name the first
    // receipt.
    const isAll = clerk.chance(0.4);
    const back = (units: number) => (units === 0 ? 0 : -(isAll ? units : clerk.below(units + 1)));
    const corrected = receipts.find((id) => id.endsWith(RECEIPT));
    if (corrected === undefined) return undefined;
    receipt.corrects = corrected;
    receipt.units = {
      good: back(key.good),
      damaged: back(key.damaged),
      refused: back(key.refused),
      held: back(key.held),
    };
    if (arrived(receipt.units) === 0) return undefined;
  } else if (arrived(key) === 0 && clerk.chance(0.6)) {
    receipt.as = clerk.pick(['GOOD', 'GOOD', 'DAMAGED', 'REFUSED', 'HELD'] as const)!;
  } else if (whole[index] === null) {
    const more = openOf(found[1], index) + 2;
    receipt.units = { good: 1 + clerk.below(more), damaged: clerk.below(2), refused: clerk.below(2), held: 0 };
  } else return undefined;
  const wish = wishOf(clerk, receipt);
  if (wish === undefined) return undefined;
  clerk.lastReceipt = receipt;
  return clerk.sent(wish);
};

/**
 * Sends the last receipt again. If the first attempt was lost, the receipt is booked now; otherwise the request has no
 * effect.
 */
const again: Move = (clerk) => {
  const wish = clerk.lastReceipt && wishOf(clerk, clerk.lastReceipt);
  return wish && clerk.sent(wish);
};

const arrive: Move = (clerk) => {
  const found = clerk.pick(shipments(clerk, isOpen));
  if (found === undefined) return undefined;
  const [number, shipment] = found;
  return clerk.sent({
    method: 'POST',
    path: `${PATH}/${number}/arrive`,
    body: { userId: WHO },
    effect: shipment.hasArrived ? NOTHING : new Map([[`inbound:${number}`, { ...shipment, hasArrived: true }]]),
    events: shipment.hasArrived ? 0 : 1,
  });
};

export const approveHeld: Move = (clerk) => {
  const found = clerk.pick(
    shipments(clerk, (shipment) => isOpen(shipment) && shipment.keys.some(({ held }) => held > 0)),
  );
  if (found === undefined) return undefined;
  const [number, shipment] = found;
  const index = shipment.keys.findIndex(({ held }) => held > 0);
  const key = shipment.keys[index]!;
  const good = clerk.below(key.held + 1);
  const refused = key.held - good;
  const approvalId = clerk.newId('-a');
  const limits = { announced: shipment.units[index]!, tolerance: TOLERANCE };
  const keys = shipment.keys.with(index, approved(key, { good, damaged: 0, refused }, limits));
  const effect: World = new Map();
  effect.set(`inbound:${number}`, { ...shipment, keys, receipts: [...shipment.receipts, approvalId] });
  flowed(
    clerk,
    shipment.items[index]!,
    [
      ['HELD', 'SHELF', good],
      ['HELD', 'SUPPLIER', refused],
    ],
    effect,
  );
  const line = {
    cartonId: cartonOf(index),
    itemId: shipment.items[index],
    ...(good > 0 && { good }),
    ...(refused > 0 && { refused }),
  };
  const body = { approvalId, userId: 'lead', lines: [line] };
  return clerk.sent({ method: 'POST', path: `${PATH}/${number}/approve`, body, effect, events: 1 });
};

const close: Move = (clerk) => {
  const isReady = (shipment: Shipment) => isOpen(shipment) && shipment.keys.every(({ held }) => held === 0);
  const found = clerk.pick(shipments(clerk, isReady));
  if (found === undefined) return undefined;
  const [number, shipment] = found;
  return clerk.sent({
    method: 'POST',
    path: `${PATH}/${number}/close`,
    body: { closeId: clerk.newId('-c'), userId: 'lead', reasons: [{ reason: 'AS_SEEN' }] },
    effect: new Map([[`inbound:${number}`, { ...shipment, state: 'CLOSED', statements: shipment.statements + 1 }]]),
    events: 1,
  });
};

const reopen: Move = (clerk) => {
  const found = clerk.pick(shipments(clerk, ({ state }) => state === 'CLOSED'));
  if (found === undefined) return undefined;
  const [number, shipment] = found;
  return clerk.sent({
    method: 'POST',
    path: `${PATH}/${number}/reopen`,
    body: { userId: 'lead', reason: 'MORE_CAME' },
    effect: new Map([[`inbound:${number}`, { ...shipment, state: 'RECEIVING' }]]),
    events: 1,
  });
};

export const receivingMoves: Moves = [
  [14, received],
  [3, again],
  [2, arrive],
  [4, approveHeld],
  [3, close],
  [2, reopen],
];
