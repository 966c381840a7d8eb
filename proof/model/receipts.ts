/** A receipt: its cartons and lines, its request, the expected response, and the effect on its shipment. */
import type { Answer } from '../../town/call.ts';
import { type Arrival, type Entry, ofKinds } from './arrivals.ts';
import { type Booked, broughtBy } from './brought.ts';
import { type Expected, hasTwice } from './command.ts';
import { arrived, type Key, KINDS, type Named, type Spot, type Units } from './goods.ts';
import type { Model } from './model.ts';
import {
  announcersOf,
  arrivalOf,
  CLOSED,
  deliveriesOf,
  freshId,
  isOpen,
  missing,
  nameOf,
  pathOf,
  type Shown,
  shownState,
  stateAndSums,
} from './shipments.ts';
import { itemId, type World } from './world.ts';

/** A carton that is received by one scan, with all of its announced units. */
interface Scanned {
  carton: string;
  as: string;
  to?: Spot;
}

/** A line of a receipt; a `carton` of '' means no carton. */
export interface Line {
  carton: string;
  sku: number;
  units: Units;
  to?: Spot;
  isReasoned?: boolean;
}

export interface Receipt {
  cartons?: readonly Scanned[];
  lines?: readonly Line[];
  isUnannounced?: boolean;
  /** Whether the receipt corrects the first receipt of the shipment. */
  isCorrection?: boolean;
  by?: string;
}

export interface ReceiptShown extends Shown {
  receipt: Pick<Booked, 'lines'>;
}

export async function sendReceipt(world: World, one: Named, receipt: Receipt): Promise<Answer> {
  const { cartons = [], lines = [], isUnannounced, isCorrection, by = 'ann' } = receipt;
  const name = nameOf(arrivalOf(world.model, one) ?? { seller: 0, number: '' });
  const sent = {
    receiptId: freshId(),
    userId: by,
    ...(isCorrection === true && { corrects: world.receipts.get(name) }),
    ...(isUnannounced === true && { unannounced: true }),
    ...(cartons.length > 0 && {
      cartons: cartons.map(({ carton, as, to }) => ({ cartonId: carton, as, reason: 'SEEN', ...(to && { to }) })),
    }),
    ...(lines.length > 0 && {
      lines: lines.map(({ carton, sku, units, to, isReasoned }) => ({
        ...(carton !== '' && { cartonId: carton }),
        itemId: itemId(sku),
        ...units,
        ...(isReasoned === true && { reason: 'SEEN' }),
        ...(to && { to }),
      })),
    }),
  };
  const path = pathOf(world, one, 'receipts');
  const answer = await world.call('POST', path, sent);
  if (answer.status !== 201) return answer;
  world.lastReceipt = { path, body: sent };
  // Later corrections name the first receipt of the shipment.
  if (!world.receipts.has(name)) world.receipts.set(name, sent.receiptId);
  return answer;
}

export function expectReceipt(model: Model, one: Named, receipt: Receipt): Expected {
  const { lines = [], isCorrection = false, by = 'ann' } = receipt;
  const arrival = arrivalOf(model, one);
  if (isMalformed(receipt)) return { status: 400 };
  if (arrival === undefined) return missing(model, one);
  // A receipt can name an item that was announced or received, even if the item was deleted in the meantime.
  const isKnown = (sku: number) => model.items.has(sku) || arrival.keys.some((key) => key.sku === sku);
  if (!lines.every(({ sku }) => isKnown(sku)) || (arrival.type === 'PO' && namesCartons(receipt))) {
    return { status: 400, code: 'INVALID_REQUEST' };
  }
  if (!isOpen(arrival)) return CLOSED;
  const blocks = blocksOf(model, arrival, receipt);
  if (blocks.length > 0) return { status: 409, code: blocks[0]!.split(' ')[0]!, names: blocks };
  const below = isCorrection ? belowZero(arrival, lines) : [];
  if (below.length > 0) return { status: 400, code: 'BELOW_ZERO', names: below };
  book(model, arrival, receipt, by);
  model.lastReceipt = { name: nameOf(arrival), brought: arrival.told.at(-1) };
  return { status: 201, shows: [...stateAndSums(arrival), arrival.told.at(-1)] };
}

/** Returns whether the message has an invalid form. */
function isMalformed({ cartons = [], lines = [], isCorrection }: Receipt): boolean {
  const whole = cartons.map(({ carton }) => carton);
  return (
    cartons.length + lines.length === 0 ||
    hasTwice(whole) ||
    (isCorrection === true && cartons.length > 0) ||
    cartons.some(({ as, to }) => to !== undefined && as !== 'GOOD') ||
    lines.some(({ carton, units, to }) => {
      const isNothing = KINDS.every((kind) => units[kind] === 0);
      const isBelow = isCorrection !== true && KINDS.some((kind) => units[kind] < 0);
      return isNothing || isBelow || whole.includes(carton) || (to !== undefined && units.good === 0);
    })
  );
}

const namesCartons = ({ cartons = [], lines = [] }: Receipt) =>
  cartons.length > 0 || lines.some(({ carton }) => carton !== '');

/** Returns the reasons to reject a receipt, as in the error: code, carton, item and the user who has the carton. */
function blocksOf(model: Model, arrival: Arrival, receipt: Receipt): string[] {
  const { cartons = [], lines = [], isUnannounced = false, isCorrection = false } = receipt;
  const isBlind = arrival.type === 'BLIND';
  const isDelivered = arrival.type === 'PO' && deliveriesOf(model, arrival).some(isOpen);
  const blocks = isDelivered && !isUnannounced && !isCorrection ? ['UNANNOUNCED   '] : [];
  for (const { carton } of cartons) {
    const taken = arrival.takenBy(carton, model.now);
    const others = announcersOf(model, arrival, carton);
    if (taken !== undefined) blocks.push(`${taken[0]} ${carton}  ${taken[1]}`);
    else if (arrival.announced.includes(carton)) continue;
    else if (others.length > 1) blocks.push(`CARTON_AMBIGUOUS ${carton}  `);
    else if (!isUnannounced && !(isBlind && others.length === 0)) blocks.push(`UNANNOUNCED ${carton}  `);
  }
  for (const { carton, sku } of lines) {
    const taken = carton === '' || isCorrection ? undefined : arrival.carton(carton);
    if (taken !== undefined && taken.whole !== null) {
      blocks.push(`CARTON_ALREADY_RECEIVED ${carton}  ${taken.holder}`);
      continue;
    }
    if (isUnannounced || isBlind || arrival.isAnnounced(carton, sku)) continue;
    // A correction can name every key of the shipment, also a key that was not announced.
    if (isCorrection && arrival.find(carton, sku) !== undefined) continue;
    const isForeign = carton !== '' && !arrival.announced.includes(carton);
    const isAmbiguous = isForeign && announcersOf(model, arrival, carton).length > 1;
    if (isAmbiguous) blocks.push(`CARTON_AMBIGUOUS ${carton}  `);
    else blocks.push(`UNANNOUNCED ${carton} ${isForeign ? '' : sku} `);
  }
  return blocks;
}

/** Returns the sums that a correction would reduce below zero, each with the index of the last line of its key. */
function belowZero(arrival: Arrival, lines: readonly Line[]): string[] {
  const keys = new Map<string, { index: number; before: Units; delta: Units }>();
  for (const [index, { carton, sku, units }] of lines.entries()) {
    const name = `${carton}/${sku}`;
    const delta = keys.get(name)?.delta;
    const before = arrival.find(carton, sku) ?? ofKinds(() => 0);
    keys.set(name, { index, before, delta: ofKinds((kind) => units[kind] + (delta?.[kind] ?? 0)) });
  }
  return [...keys.values()].flatMap(({ index, before, delta }) =>
    KINDS.filter((kind) => before[kind] + delta[kind] < 0).map((kind) => `/lines/${index}/${kind}`),
  );
}

function book(model: Model, arrival: Arrival, receipt: Receipt, by: string): void {
  const { cartons = [], lines = [], isCorrection = false } = receipt;
  const { receiveTo } = model;
  const scanned = cartons.flatMap(({ carton, as, to = receiveTo }): Entry[] =>
    contentOf(model, arrival, carton).flatMap(({ sku, announced }) => {
      const key = arrival.find(carton, sku);
      const open = Math.max(0, announced - (key === undefined ? 0 : arrived(key)));
      const units = ofKinds((kind) => (kind.toUpperCase() === as ? open : 0));
      return open === 0 ? [] : [{ key: arrival.key(carton, sku), units, to, isReasoned: true }];
    }),
  );
  const counted = lines.map(({ carton, sku, units, to = receiveTo, isReasoned = false }): Entry => {
    return { key: arrival.key(carton, sku), units, to, isReasoned };
  });
  arrival.book([...scanned, ...counted], model.settings, by, isCorrection);
  for (const { carton, as } of cartons) {
    Object.assign(arrival.carton(carton), { whole: as, holder: by, heldUntil: 0 });
  }
  const pieces = new Set(lines.map(({ carton }) => carton));
  if (!isCorrection) for (const carton of pieces) arrival.countedBy(carton, model.now, by);
  arrival.settle([...cartons.map(({ carton }) => carton), ...pieces]);
  arrival.state = 'RECEIVING';
}

/**
 * Returns the announced content of a carton. If the shipment does not announce the carton, the content is from another
 * shipment that announces it.
 */
function contentOf(model: Model, arrival: Arrival, carton: string): readonly Key[] {
  const [other] = announcersOf(model, arrival, carton);
  const content = arrival.announced.includes(carton) ? arrival : other;
  return content?.ofCarton(carton).filter(({ announced }) => announced > 0) ?? [];
}

export const shownReceipt = (body: ReceiptShown) => [...shownState(body), broughtBy(body.receipt)];
