/**
 * Customer returns at the counter: the returnable units of an order, the condition of each unit, and the commands to
 * receive them.
 */
import type { components } from '../../../contract/client.d.ts';
import { call, newId } from '../../api.ts';
import { readChoices, type WorkSettings } from '../../choices.ts';
import { isEnded } from '../../offline/returned.ts';
import { at } from '../../router.ts';
import { contentOf, isOneOf } from '../../scan/codes.ts';
import { place } from '../../session.ts';
import type { FoundItem } from '../../work/item-choice-dialog.tsx';
import { ownId } from '../../work/own-id.ts';

/** Maximum length of a code in the service. */
export const CODE_MAX = 500;

export type Check = components['schemas']['ReturnCheckReply'];
export type CheckedOrder = Check['orders'][number];
export type CheckedLine = CheckedOrder['lines'][number];
export type Return = components['schemas']['Return'];
export type Preview = components['schemas']['ReturnPreview'];
export type ReturnChoices = WorkSettings['stores'][number]['returns'];
export type Condition = ReturnChoices['conditions'][number];

/** Units of one line in one condition. */
export interface Unit {
  /** Line of the order, or the item for goods without papers. */
  line: string;
  itemId: string;
  condition: string;
  quantity: number;
}

/** The item that the customer gets in exchange for units of a line. */
export interface Wish {
  itemId: string;
  name: string;
  quantity: number;
}

/** A wish, with the units of its line that stayed here when it was made. */
export type AskedWish = Wish & { of: number };

/**
 * Returns the wishes that still fit the counted units. A wish for all units of its line has at most the units that
 * stay. A wish for another number is left out, to be asked again, if the line has fewer units than before.
 */
export function fittingWishes(
  asked: Readonly<Record<string, AskedWish>>,
  stayingOf: (line: string) => number,
): Record<string, AskedWish> {
  return Object.fromEntries(
    Object.entries(asked).flatMap(([line, wish]) => {
      const of = stayingOf(line);
      if (of >= wish.of) return [[line, wish]];
      return of > 0 && wish.quantity === wish.of ? [[line, { ...wish, quantity: of, of }]] : [];
    }),
  );
}

/** The orders and returns of a code or number in one web store. */
export interface Found {
  storeId: string;
  check: Check;
  /** True if the orders were found by the name of the customer. */
  isNamed?: boolean;
  /** The canceled and expired returns whose parcel has the code. */
  parcels?: readonly string[];
  /** The return whose number is the code. */
  own?: FoundReturn | undefined;
}
export type FoundReturn = Check['returns'][number];

/** Paths of the screens that receive the goods of an order, or of an announced return. */
export const toOrder = (storeId: string, orderId: string) => at('return', storeId, 'order', orderId);
export const toReturn = (storeId: string, number: string) => at('return', storeId, 'announced', number);

/** Searches for a slip, a parcel or a return in each web store of the node. @throws ApiError */
export async function findReturnable(scanned: string, signal?: AbortSignal): Promise<Found[]> {
  // The service compares numbers exactly, so the code is sent without its symbology identifier and separators.
  const code = contentOf(scanned);
  const { stores } = await readChoices();
  const all = await Promise.all(
    stores.map(async ({ storeId }) => ({ storeId, check: await check(storeId, { code }, signal) })),
  );
  const found = all
    .map(({ storeId, check: { orders, returns } }) => {
      const [others, own] = [orders.filter(isOfOtherStore), orders.filter((one) => !isOfOtherStore(one))];
      const ids = new Set<string | undefined>(others.map(({ fulfillmentOrderId }) => fulfillmentOrderId));
      const ownReturns = returns.filter(({ lines }) => !lines.some((line) => ids.has(line.fulfillmentOrderId)));
      const named = ownReturns.find(({ number }) => isOneOf(scanned, [number]));
      return { storeId, check: { orders: own, returns: ownReturns }, own: named };
    })
    .filter((one) => one.check.orders.length + one.check.returns.length > 0);
  return await Promise.all(
    found.map(async (one) =>
      one.check.returns.some(isEnded) ? { ...one, parcels: await parcelsOf(one.storeId, code, signal) } : one,
    ),
  );
}

/** Maximum length of a tracking number in the service. */
const TRACKING_MAX = 40;

/** Returns the numbers of the canceled and expired returns whose parcel has the code. @throws ApiError */
async function parcelsOf(storeId: string, code: string, signal?: AbortSignal): Promise<string[]> {
  if (code.length > TRACKING_MAX) return [];
  const path = at('operator', 'v1', 'stores', storeId, 'returns', 'search');
  const body = { trackingNumber: code, states: ['CANCELED', 'EXPIRED'] };
  const { returns } = await call<{ returns: components['schemas']['ReturnSummary'][] }>('POST', path, {
    body,
    ...(signal && { signal }),
  });
  return returns.map(({ number }) => number);
}

function isOfOtherStore({ lines }: CheckedOrder): boolean {
  return lines.some(({ reasons }) => reasons.some(({ rule }) => rule === 'OTHER_STORE'));
}

/** Reads the returnable units and the announced returns of a code or an order. @throws ApiError */
export function check(
  storeId: string,
  by: { code: string } | { fulfillmentOrderId: string },
  signal?: AbortSignal,
): Promise<Check> {
  const path = at('operator', 'v1', 'stores', storeId, 'returns', 'eligibility');
  return call<Check>('POST', path, { body: by, ...(signal && { signal }) });
}

/**
 * Returns the units of a line if the end of the return window is the only reason why they cannot be returned; otherwise
 * 0. A lead can accept these units.
 */
export function lateUnits({ reasons, handedOverQuantity, cameBackQuantity, comingBackQuantity }: CheckedLine): number {
  const isLate = reasons.length > 0 && reasons.every(({ rule }) => rule === 'WINDOW_OVER');
  return isLate ? handedOverQuantity - cameBackQuantity - comingBackQuantity : 0;
}

/**
 * Returns the amount that is left to refund for a line. Of several lines of an item, the service chooses the line with
 * the smallest amount. With a discount of the whole order, lines can have the same amount 0; then the first one counts.
 * Lines that need a permission come last, because the service does not compute their amount.
 */
export function leftToRefund(line: CheckedLine): number {
  const { refundAmount, returnableQuantity, handedOverQuantity, cameBackQuantity } = line;
  if (returnableQuantity === 0) return Number.MAX_VALUE;
  return (refundAmount * (handedOverQuantity - cameBackQuantity)) / returnableQuantity;
}

/** Returns whether units of an order can come back, now or with the permission of a lead. */
export function canComeBack({ lines }: CheckedOrder): boolean {
  return lines.some((line) => line.returnableQuantity > 0 || lateUnits(line) > 0);
}

/** Returns the reasons and conditions of a web store. @throws ApiError */
export async function returnChoices(storeId: string): Promise<ReturnChoices> {
  const { stores } = await readChoices();
  return stores.find((one) => one.storeId === storeId)?.returns ?? { reasons: [], conditions: [], blind: 'HOLD' };
}

/**
 * Returns the place of units in a condition. If the client no longer has the condition, the units wait for a decision.
 */
export function dispositionOf({ conditions }: ReturnChoices, condition: string): Condition['disposition'] {
  return conditions.find(({ code }) => code === condition)?.disposition ?? 'HELD';
}

/** Adds one unit of a line in a condition to the units. */
export function withUnit(units: readonly Unit[], unit: Omit<Unit, 'quantity'>): Unit[] {
  const isSame = (one: Unit) => one.line === unit.line && one.condition === unit.condition;
  if (!units.some(isSame)) return [...units, { ...unit, quantity: 1 }];
  return units.map((one) => (isSame(one) ? { ...one, quantity: one.quantity + 1 } : one));
}

/** Removes one unit of a line in a condition from the units. */
export function withoutUnit(units: readonly Unit[], unit: Omit<Unit, 'quantity'>): Unit[] {
  return units.flatMap((one) => {
    if (one.line !== unit.line || one.condition !== unit.condition) return [one];
    return one.quantity === 1 ? [] : [{ ...one, quantity: one.quantity - 1 }];
  });
}

/** Returns the units of a line in all conditions. */
export function unitsOf(units: readonly Unit[], line: string): number {
  return units.reduce((sum, one) => sum + (one.line === line ? one.quantity : 0), 0);
}

/** The goods that a customer returns at the counter. */
export interface Taking {
  storeId: string;
  /** The order; undefined for goods without papers. */
  orderId?: string;
  units: readonly Unit[];
  reason?: string;
  note?: string;
  customerRef?: string;
  /** The exchanges that the customer wants, by line. */
  wishes?: Readonly<Record<string, Wish>>;
  overrideReason?: string | undefined;
}

/** The last try of a take-back in a screen: its content and its id. */
export interface Try {
  content: string;
  takeId: string;
}

const returnsPath = () => {
  const { clientId, nodeId } = place.peek()!;
  return at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'returns');
};

/**
 * Receives returned goods. If the content is that of the last try in the same screen, this is a retry with its id. A
 * screen that opens again has no last try, because the next customer can bring the same goods. @throws ApiError
 */
export async function takeBack(taking: Taking, last: Try): Promise<Return> {
  const { customerRef = '', wishes = {} } = taking;
  // The service numbers the lines of the return in the order in which they first occur in the units.
  const positions = [...new Set(taking.units.map(({ line }) => line))];
  const exchangeLines = positions.flatMap((line, index) => {
    const wish = wishes[line];
    return wish === undefined ? [] : [{ line: index + 1, wants: { itemId: wish.itemId, quantity: wish.quantity } }];
  });
  const content = {
    ...goodsOf(taking),
    ...(customerRef.trim() !== '' && { customerRef: customerRef.trim() }),
    ...(exchangeLines.length > 0 && { exchangeLines }),
  };
  const text = JSON.stringify(content);
  if (last.content !== text) Object.assign(last, { content: text, takeId: newId() });
  const body = { takeId: last.takeId, ...content };
  return (await call<{ return: Return }>('POST', returnsPath(), { body })).return;
}

/** Returns the refunds that receiving these goods would cause now. @throws ApiError */
export function previewTake(taking: Taking, signal: AbortSignal): Promise<Preview> {
  // Reasons do not change the refund, and their note may still be missing, so they are not sent.
  const { reason: _, note: _note, ...goods } = taking;
  return call<Preview>('POST', `${returnsPath()}/preview`, { body: goodsOf(goods), signal });
}

/** Returns the refunds that closing the return would cause now. @throws ApiError */
export function previewClose({ returnId }: Pick<Return, 'returnId'>, signal: AbortSignal): Promise<Preview> {
  return call<Preview>('POST', `${returnsPath()}/preview`, { body: { returnId, userId: ownId() }, signal });
}

/** Closes a return. `closeId` must be the same in every try. @throws ApiError */
export function closeReturn({ returnId }: Pick<Return, 'returnId'>, closeId: string): Promise<Return> {
  const path = `${returnsPath()}/${encodeURIComponent(returnId)}/close`;
  return call<Return>('POST', path, { body: { closeId, userId: ownId() } });
}

function goodsOf({ storeId, orderId, units, reason = '', note = '', overrideReason }: Taking) {
  const lines = units.map(({ line, itemId, quantity, condition }) => ({
    ...(orderId === undefined ? { itemId } : { fulfillmentOrderId: orderId, webLineId: line }),
    quantity,
    condition,
    ...(reason !== '' && { reason }),
    ...(note.trim() !== '' && { note: note.trim() }),
  }));
  return { userId: ownId(), storeId, lines, ...(overrideReason !== undefined && { overrideReason }) };
}

/** Returns the items of a scanned or typed code; none if no item has it. @throws ApiError */
export async function findItems(code: string): Promise<FoundItem[]> {
  const { clientId, nodeId } = place.peek()!;
  const path = at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'scan');
  type Matches = { matches: components['schemas']['ScanMatch'][] };
  const { matches } = await call<Matches>('POST', path, { body: { code } });
  return matches.filter(({ kind }) => kind === 'ITEM').map(({ id, label }) => ({ itemId: id, name: label }));
}
