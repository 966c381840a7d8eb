/** Returns at the counter: what of an order can come back, what the customer said of each unit, and the commands that take it. */
import type { components } from '../../../contract/client.d.ts';
import { call, newId } from '../../api.ts';
import { readChoices, type WorkSettings } from '../../choices.ts';
import { at } from '../../router.ts';
import { place } from '../../session.ts';
import { ownId } from '../../work/own-id.ts';

/** Characters of a code that the service takes. */
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
  /** Line of the order; without papers the item. */
  line: string;
  itemId: string;
  condition: string;
  quantity: number;
}

/** What the customer wants instead of the units of a line. */
export interface Wish {
  itemId: string;
  name: string;
  quantity: number;
}

/** What a code or number finds: in which web store, which orders and returns. */
export interface Found {
  storeId: string;
  check: Check;
}

/** Where an order, or an announced return, is taken back. */
export const toOrder = (storeId: string, orderId: string) => at('return', storeId, 'order', orderId);
export const toReturn = (storeId: string, number: string) => at('return', storeId, 'announced', number);

/** Looks for a slip, a parcel or a return in each web store of the node. @throws ApiError */
export async function findReturnable(code: string, signal?: AbortSignal): Promise<Found[]> {
  const { stores } = await readChoices();
  const all = await Promise.all(
    stores.map(async ({ storeId }) => ({ storeId, check: await check(storeId, { code }, signal) })),
  );
  return all
    .map(({ storeId, check: { orders, returns } }) => {
      const own = orders.filter(({ lines }) => !lines.some(({ reasons }) => reasons.some(isOfOtherStore)));
      return { storeId, check: { orders: own, returns } };
    })
    .filter((one) => one.check.orders.length + one.check.returns.length > 0);
}

const isOfOtherStore = ({ rule }: CheckedLine['reasons'][number]) => rule === 'OTHER_STORE';

/** What can come back. @throws ApiError */
export function check(
  storeId: string,
  by: { code: string } | { fulfillmentOrderId: string },
  signal?: AbortSignal,
): Promise<Check> {
  const path = at('operator', 'v1', 'stores', storeId, 'returns', 'eligibility');
  return call<Check>('POST', path, { body: by, ...(signal && { signal }) });
}

/** Units of a line that only the window keeps from coming back: a lead may take them. */
export function lateUnits({ reasons, handedOverQuantity, cameBackQuantity, comingBackQuantity }: CheckedLine): number {
  const isLate = reasons.length > 0 && reasons.every(({ rule }) => rule === 'WINDOW_OVER');
  return isLate ? handedOverQuantity - cameBackQuantity - comingBackQuantity : 0;
}

/** The reasons and conditions of a web store. @throws ApiError */
export async function returnChoices(storeId: string): Promise<ReturnChoices> {
  const { stores } = await readChoices();
  return stores.find((one) => one.storeId === storeId)?.returns ?? { reasons: [], conditions: [], blind: 'HOLD' };
}

/** The place of units in a condition; what the client does not know any more waits for a decision. */
export function dispositionOf({ conditions }: ReturnChoices, condition: string): Condition['disposition'] {
  return conditions.find(({ code }) => code === condition)?.disposition ?? 'HELD';
}

/** One more unit of a line in a condition. */
export function withUnit(units: readonly Unit[], unit: Omit<Unit, 'quantity'>): Unit[] {
  const isSame = (one: Unit) => one.line === unit.line && one.condition === unit.condition;
  if (!units.some(isSame)) return [...units, { ...unit, quantity: 1 }];
  return units.map((one) => (isSame(one) ? { ...one, quantity: one.quantity + 1 } : one));
}

/** One unit less. */
export function withoutUnit(units: readonly Unit[], unit: Omit<Unit, 'quantity'>): Unit[] {
  return units.flatMap((one) => {
    if (one.line !== unit.line || one.condition !== unit.condition) return [one];
    return one.quantity === 1 ? [] : [{ ...one, quantity: one.quantity - 1 }];
  });
}

/** Units of a line, in every condition. */
export function unitsOf(units: readonly Unit[], line: string): number {
  return units.reduce((sum, one) => sum + (one.line === line ? one.quantity : 0), 0);
}

/** Goods at the counter. */
export interface Taking {
  storeId: string;
  /** Absent: they have no papers. */
  orderId?: string;
  units: readonly Unit[];
  reason?: string;
  note?: string;
  customerRef?: string;
  /** What the customer wants instead, by the line. */
  wishes?: Readonly<Record<string, Wish>>;
  overrideReason?: string | undefined;
}

/** The id and the content of a take stay together: what is sent again is a retry only with the same content. */
const last = { content: '', takeId: '' };

const returnsPath = () => {
  const { clientId, nodeId } = place.peek()!;
  return at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'returns');
};

/** Takes goods back. @throws ApiError */
export async function takeBack(taking: Taking): Promise<Return> {
  const { customerRef = '', wishes = {} } = taking;
  // The service numbers the lines of the return by their first mention.
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
  const taken = await call<{ return: Return }>('POST', returnsPath(), { body });
  Object.assign(last, { content: '', takeId: '' });
  return taken.return;
}

/** The refunds that goods at the counter would cause now. @throws ApiError */
export function previewTake(taking: Taking, signal: AbortSignal): Promise<Preview> {
  // Reasons change no refund, and may still lack their note.
  const { reason: _, note: _note, ...goods } = taking;
  return call<Preview>('POST', `${returnsPath()}/preview`, { body: goodsOf(goods), signal });
}

/** The refunds that the close of a return would cause now. @throws ApiError */
export function previewClose({ returnId }: Pick<Return, 'returnId'>, signal: AbortSignal): Promise<Preview> {
  return call<Preview>('POST', `${returnsPath()}/preview`, { body: { returnId, userId: ownId() }, signal });
}

/** Closes a return. `closeId` stays the same in every try. @throws ApiError */
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

/** An item by a code that was scanned or typed; undefined if there is none. @throws ApiError */
export async function findItem(code: string): Promise<{ itemId: string; name: string } | undefined> {
  const { clientId, nodeId } = place.peek()!;
  const path = at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'scan');
  type Matches = { matches: components['schemas']['ScanMatch'][] };
  const { matches } = await call<Matches>('POST', path, { body: { code } });
  const item = matches.find(({ kind }) => kind === 'ITEM');
  return item && { itemId: item.id, name: item.label };
}
