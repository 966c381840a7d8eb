/**
 * The moves of clerks on goods without papers. The clerk receives the goods before it knows their ASN, and then matches
 * them with the ASN.
 */
import {
  arrived,
  booked,
  type KeyState,
  NOTHING as NO_UNITS,
  UNTOUCHED,
  unitsToHold,
} from '../../../src/kernel/arrivals/sums.ts';
import { type Blind, NOTHING, type Shipment, type World } from '../world.ts';
import type { BlindReceipt, Clerk, Move, Moves, Wish } from './clerk.ts';
import { cartonOf, heldOf, isDoneBy, RECEIPT, TOLERANCE } from './receiving.ts';
import { type Flow, flowed } from './stock.ts';
import { CLIENT, OTHER_NODE_ID, WHO } from './words.ts';

const INBOUND = `${CLIENT}/nodes/${OTHER_NODE_ID}/inbound`;
const ENDING = '-b';

/** Returns the number of goods without papers, which is derived from the number of their later ASN. */
const numberOf = (asn: string) => `${asn}${ENDING}`;
export const asnOf = (number: string) => number.slice(0, -ENDING.length);

const asnWith = (clerk: Clerk, isWanted: (asn: Shipment, blind: Blind | undefined) => boolean) =>
  clerk.all<Shipment>('inbound', (asn, id) => {
    return isWanted(asn, clerk.world.get(`blind:${numberOf(id)}`) as Blind | undefined);
  });
const blindsWith = (clerk: Clerk, isWanted: (blind: Blind) => boolean) =>
  clerk.all<Blind>('blind', (blind, id) => isWanted(blind) && isFree(clerk, asnOf(id)));
const isFree = (clerk: Clerk, asn: string) => clerk.world.get(`inbound:${asn}`) != null;
const isOpen = ({ state }: { state: string }) => state !== 'CLOSED';

/** Opens goods without papers. If they already exist, nothing changes. */
const open: Move = (clerk) => {
  const isAgain = clerk.chance(0.2);
  const found = clerk.pick(asnWith(clerk, (asn, blind) => isOpen(asn) && (blind !== undefined) === isAgain));
  if (found === undefined) return undefined;
  const [asn, { units }] = found;
  const number = numberOf(asn);
  const blind: Blind = { state: 'EXPECTED', keys: units.map(() => UNTOUCHED), receipts: [] };
  const isNew = !clerk.world.has(`blind:${number}`);
  return clerk.sent({
    method: 'POST',
    path: `${INBOUND}/BLIND`,
    body: { number, userId: WHO },
    effect: isNew ? new Map([[`blind:${number}`, blind]]) : NOTHING,
    events: isNew ? 1 : 0,
  });
};

/** Returns the request of a receipt, with its effect at this time; undefined if the service would reject it. */
function wishOf(clerk: Clerk, receipt: BlindReceipt): Wish | undefined {
  const { number, receiptId, index, units, to } = receipt;
  const blind = clerk.world.get(`blind:${number}`) as Blind;
  const itemId = (clerk.world.get(`inbound:${asnOf(number)}`) as Shipment).items[index]!;
  const line = { cartonId: cartonOf(index), itemId, ...units, reason: 'SEEN', ...(units.good > 0 && { to }) };
  const body = { receiptId, userId: WHO, lines: [line] };
  const wish = { method: 'POST', path: `${INBOUND}/BLIND/${number}/receipts`, body } as const;
  if (blind.receipts.includes(receiptId)) return { ...wish, effect: NOTHING, events: 0 };
  if (!isOpen(blind)) return undefined;
  const keys = blind.keys.with(index, booked(blind.keys[index]!, units, to === 'STAGE' ? units.good : 0));
  const effect: World = new Map();
  effect.set(`blind:${number}`, { state: 'RECEIVING', keys, receipts: [...blind.receipts, receiptId] } satisfies Blind);
  const flows: Flow[] = [
    ['SUPPLIER', to, units.good],
    ['SUPPLIER', 'DAMAGED', units.damaged],
    ['SUPPLIER', 'HELD', units.held],
  ];
  flowed(clerk, itemId, flows, effect);
  return { ...wish, effect, events: 1 };
}

const received: Move = (clerk) => {
  const found = clerk.pick(blindsWith(clerk, isOpen));
  if (found === undefined) return undefined;
  const [number, { keys }] = found;
  const units = { good: clerk.below(6), damaged: clerk.below(2), refused: clerk.below(2), held: clerk.below(2) };
  if (arrived(units) === 0) return undefined;
  const to = clerk.chance(0.3) ? 'STAGE' : 'SHELF';
  const receipt: BlindReceipt = { number, receiptId: clerk.newId(RECEIPT), index: clerk.below(keys.length), units, to };
  clerk.lastBlind = receipt;
  const wish = wishOf(clerk, receipt);
  return wish && clerk.sent(wish);
};

/**
 * Sends the last receipt again. If the first attempt was lost, the receipt is booked now; otherwise the request has no
 * effect.
 */
const again: Move = (clerk) => {
  const wish = clerk.lastBlind && wishOf(clerk, clerk.lastBlind);
  return wish && clerk.sent(wish);
};

/**
 * Returns the key of the ASN after a match, and the moves of its units. The units keep their place; excess units are
 * held.
 */
function matched(announced: number, key: KeyState, units: KeyState) {
  const { staged, decided: _decided, ...all } = units;
  const rest = { ...all, good: all.good - staged };
  const came = booked(booked(key, { ...NO_UNITS, good: staged }, staged), rest);
  const more = arrived(all) === 0 ? 0 : unitsToHold(announced, came, TOLERANCE);
  const { after, own, earlier } = heldOf(came, more, { SHELF: rest.good, STAGE: staged });
  const coming: Flow[] = [
    ['SUPPLIER', 'STAGE', staged - own.STAGE],
    ['SUPPLIER', 'SHELF', rest.good - own.SHELF],
    ['SUPPLIER', 'DAMAGED', rest.damaged],
    ['SUPPLIER', 'HELD', rest.held + own.SHELF + own.STAGE],
  ];
  const leaving: Flow[] = [
    ['STAGE', 'SUPPLIER', staged],
    ['SHELF', 'SUPPLIER', rest.good],
    ['DAMAGED', 'SUPPLIER', rest.damaged],
    ['HELD', 'SUPPLIER', rest.held],
  ];
  return { next: after, coming, held: earlier, leaving };
}

const isEmptyOf = (blind: Blind) => blind.keys.every((key) => arrived(key) === 0);

/** Matches goods without papers with their ASN, or sends the match again, which has no effect. */
export const match: Move = (clerk) => matchOf(clerk, () => true);

/** Like `match`, for goods that have units. */
export const matchUnits: Move = (clerk) => matchOf(clerk, (blind) => !isEmptyOf(blind));

function matchOf(clerk: Clerk, isWanted: (blind: Blind) => boolean): ReturnType<Move> {
  const isAgain = clerk.chance(0.2);
  const found = clerk.pick(blindsWith(clerk, (blind) => isOpen(blind) !== isAgain && (isAgain || isWanted(blind))));
  if (found === undefined) return undefined;
  const [number, blind] = found;
  const asnNumber = asnOf(number);
  const asn = clerk.world.get(`inbound:${asnNumber}`) as Shipment;
  const body = { type: 'ASN', number: asnNumber, userId: WHO };
  const wish = { method: 'POST', path: `${INBOUND}/BLIND/${number}/match`, body } as const;
  if (isAgain) return clerk.sent(wish);
  if (!isOpen(asn)) return undefined;
  const parts = asn.keys.map((key, index) => matched(asn.units[index]!, key, blind.keys[index]!));
  const next: Shipment = {
    ...asn,
    state: 'RECEIVING',
    keys: parts.map((part) => part.next),
    receipts: [...asn.receipts, `BLIND/${number}`],
  };
  const isDone = isDoneBy(next);
  // A match without units does not change the ASN.
  const isEmpty = isEmptyOf(blind);
  const effect: World = new Map();
  if (!isEmpty) effect.set(`inbound:${asnNumber}`, isDone ? { ...next, isComplete: true } : next);
  effect.set(`blind:${number}`, {
    state: 'CLOSED',
    keys: blind.keys.map(() => UNTOUCHED),
    receipts: [...blind.receipts, `ASN/TOWNS/${asnNumber}`],
  } satisfies Blind);
  for (const itemId of new Set(asn.items)) {
    const own = parts.filter((_part, index) => asn.items[index] === itemId);
    // In the ledger, the units of the ASN arrive first. Then excess units are held, and then the units of the goods
    // without papers are removed.
    const flows = (['coming', 'held', 'leaving'] as const).flatMap((step) => own.flatMap((part) => part[step]));
    flowed(clerk, itemId, flows, effect);
  }
  return clerk.sent({ ...wish, effect, events: isEmpty ? 1 : isDone ? 3 : 2 });
}

export const papersMoves: Moves = [
  [4, open],
  [7, received],
  [2, again],
  [3, match],
];
