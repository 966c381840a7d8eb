/** Returns at the counter: what of an order can come back, what the customer said of each unit, and the command that takes it. */
import type { components } from '../../../contract/client.d.ts';
import { call, newId } from '../../api.ts';
import { readChoices, type WorkSettings } from '../../choices.ts';
import { at } from '../../router.ts';
import { place } from '../../session.ts';
import { language } from '../../texts/index.ts';
import { ownId } from '../../work/own-id.ts';

export type Check = components['schemas']['ReturnCheckReply'];
export type CheckedOrder = Check['orders'][number];
export type CheckedLine = CheckedOrder['lines'][number];
export type Return = components['schemas']['Return'];
export type ReturnChoices = WorkSettings['stores'][number]['returns'];
export type Condition = ReturnChoices['conditions'][number];

/** Units of one line in one condition. */
export interface Unit {
  /** Line of the order, or position of the announced return. */
  line: string;
  itemId: string;
  condition: string;
  quantity: number;
}

/** What a code or number finds: in which web store, which orders and returns. */
export interface Found {
  storeId: string;
  check: Check;
}

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

/** The reasons and conditions of a web store. @throws ApiError */
export async function returnChoices(storeId: string): Promise<ReturnChoices> {
  const { stores } = await readChoices();
  return stores.find((one) => one.storeId === storeId)?.returns ?? { reasons: [], conditions: [] };
}

/** A word of the client in the language of the person; the first that there is, else the code. */
export function ownWord({ code, description }: { code: string; description: Condition['description'] }): string {
  if (typeof description === 'string') return description;
  return description[language.value] ?? description.en ?? Object.values(description)[0] ?? code;
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

interface Taking {
  storeId: string;
  orderId: string;
  units: readonly Unit[];
  reason: string;
  note: string;
}

/** The id and the content of a take stay together: what is sent again is a retry only with the same content. */
const last = { content: '', takeId: '' };

/** Takes the goods of an order back. @throws ApiError */
export async function takeBack({ storeId, orderId, units, reason, note }: Taking): Promise<Return> {
  const { clientId, nodeId } = place.peek()!;
  const lines = units.map(({ line, quantity, condition }) => ({
    fulfillmentOrderId: orderId,
    webLineId: line,
    quantity,
    condition,
    ...(reason !== '' && { reason }),
    ...(note.trim() !== '' && { note: note.trim() }),
  }));
  const content = { userId: ownId(), storeId, lines };
  const text = JSON.stringify(content);
  if (last.content !== text) Object.assign(last, { content: text, takeId: newId() });
  const path = at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'returns');
  const taken = await call<{ return: Return }>('POST', path, { body: { takeId: last.takeId, ...content } });
  Object.assign(last, { content: '', takeId: '' });
  return taken.return;
}
