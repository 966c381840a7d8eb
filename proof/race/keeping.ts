/** Items and shipments for one contest, the nodes that keep stock, and the final check of the units. */
import { sql } from 'kysely';
import type { InboundSums } from '../../src/receiving/receipt-schema.ts';
import { harbourStreet } from '../../src/service/demo/town.ts';
import type { StockLevel } from '../../src/stock/schema.ts';
import type { Answer } from '../../town/call.ts';
import { confirmBody, GENERATE, generateBody, pathOf, ticketIn, UPDATE } from '../../town/tickets.ts';
import { itemBody } from '../support/clerk/goods.ts';
import { type Arena, ISPU, inShort, must, orderBody, WHERE } from './arena.ts';
import { rowsOf } from './order.ts';

const CLIENT = '/operator/v1/clients/TOWN';
const INTAKE = `/operator/v1/stores/${WHERE.storeId}/fulfillmentOrders`;
const TRANSMIT = '/poasn-manager-service/sellers/TOWNS/poasn/create';

/** A node that keeps stock and promises units without checking their availability. */
export const KEEPS = 'TOWN-Keeps';
const WAREHOUSE = 'KEEP1';
/** A node that promises only available units. */
export const PROMISES = 'TOWN-Promises';
/** A node that is switched between keeping stock and not keeping it. */
export const SWITCHES = 'TOWN-Switches';

const NODES = {
  [KEEPS]: { receivingWarehouseId: WAREHOUSE, stock: 'KEPT' },
  [PROMISES]: { stock: 'KEPT', promise: 'AVAILABLE' },
  [SWITCHES]: {},
};

export const nodePath = (nodeId: string) => `${CLIENT}/nodes/${nodeId}`;

const kept = new WeakMap<Arena, Promise<void>>();

/** Creates the nodes, once for each arena. */
export function keeping(arena: Arena): Promise<void> {
  const before = kept.get(arena);
  if (before !== undefined) return before;
  const made = (async () => {
    for (const [nodeId, members] of Object.entries(NODES)) await putNode(arena, nodeId, members);
  })();
  kept.set(arena, made);
  return made;
}

export async function putNode({ service }: Arena, nodeId: string, members: object): Promise<void> {
  const body = { ...harbourStreet, ...members };
  const { status, text } = await service.operator('PUT', nodePath(nodeId), body);
  if (status >= 300) throw new Error(`the node was rejected: ${text}`);
}

/** Creates an item. With `units`, a count puts this number of units on the shelf of the node. */
export async function newItem(arena: Arena, units?: number, nodeId = KEEPS): Promise<string> {
  await keeping(arena);
  const { service } = arena;
  const clientItemId = arena.name();
  const itemId = `21-${clientItemId}`;
  const body = itemBody(itemId, 'a thing');
  must(await service.client('PUT', `/item-service/clients/TOWN/items/${itemId}`, body), 201);
  if (units !== undefined) must(await count(arena, [{ itemId, counted: units, revision: 0 }], nodeId), 201);
  return itemId;
}

interface CountLine {
  itemId: string;
  counted: number;
  revision: number;
}

export function count(arena: Arena, lines: readonly CountLine[], nodeId = KEEPS, countId = arena.name()) {
  return arena.service.client('POST', `${nodePath(nodeId)}/counts`, { countId, userId: 'cleo', lines });
}

/** Units of an order by item. */
export type Wanted = readonly (readonly [itemId: string, quantity: number])[];

/** Creates an order for pick-up. Returns the response, because the service may reject the order. */
export function take({ service }: Arena, id: string, nodeId: string, wanted: Wanted): Promise<Answer> {
  const lines = wanted.map(([itemId, quantity], index) => ({
    webLineId: String(index + 1),
    itemId,
    quantity,
    unitPrice: 9.5,
  }));
  return service.client('POST', INTAKE, [orderBody(id, [], { nodeId, lines })]);
}

/** Creates an order and its ticket. Returns a function that sends the CONFIRM with all units found. */
export async function onTicket(
  arena: Arena,
  nodeId: string,
  wanted: Wanted,
  id = arena.name(),
): Promise<() => Promise<Answer>> {
  const { service } = arena;
  must(await take(arena, id, nodeId, wanted), 201);
  const where = { storeId: WHERE.storeId, nodeId };
  const path = pathOf(where);
  const body = generateBody(where, ISPU, [id], 'ana');
  const made = must(await service.client('POST', path + GENERATE, body), 201);
  const confirmed = confirmBody(where, ticketIn(made.body), 'ana');
  return () => service.client('PUT', path + UPDATE, confirmed);
}

const MEMBERS = ['announced', 'good', 'damaged', 'refused', 'held', 'over', 'short', 'open'] as const;

export interface Shipment {
  state: string;
  sums: { keys: InboundSums[]; cartons: InboundSums[]; items: InboundSums[]; total: InboundSums };
  receipts: { receiptId: string; userId: string; at: string; lines: Omit<InboundSums, 'announced'>[] }[];
  statements: { version: number; totals: InboundSums }[];
}

/** Returns the message of an ASN with cartons that have one item each. */
export function asnOf(
  asnNumber: string,
  cartons: readonly (readonly [cartonId: string, itemId: string, units: number])[],
) {
  const detail = cartons.map(([cartonId, itemId, shippedQuantity], index) => ({
    asnNumber,
    cartonId,
    clientItemId: itemId.slice(3),
    itemCost: 3.25,
    lineNumber: String(index + 1),
    receivingWarehouseId: WAREHOUSE,
    shippedQuantity,
    trailerNumber: 'TR-7',
  }));
  const header = {
    asnNumber,
    receivingType: 'A',
    receivingWarehouseId: WAREHOUSE,
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'Quayside Vendor',
    storeCode: '988',
  };
  return { asnData: [{ header, details: { detail } }] };
}

/** Announces an ASN. Returns its number. */
export async function announce(arena: Arena, ...cartons: Parameters<typeof asnOf>[1]): Promise<string> {
  const number = arena.name();
  must(await transmit(arena, number, cartons), 200);
  return number;
}

export const transmit = ({ service }: Arena, number: string, cartons: Parameters<typeof asnOf>[1]) =>
  service.client('POST', TRANSMIT, asnOf(number, cartons));

export const voidAsn = ({ service }: Arena, number: string) =>
  service.operator('DELETE', `${CLIENT}/inbound/ASN/${number}`);

const inboundPath = (number: string, type = 'ASN') => `${nodePath(KEEPS)}/inbound/${type}/${number}`;

/** Sends an action on a shipment: receipts, close, approve or match. */
export function act({ service }: Arena, what: string, number: string, body: object, type?: string): Promise<Answer> {
  return service.client('POST', `${inboundPath(number, type)}/${what}`, { userId: 'ann', ...body });
}

export async function shipment({ service }: Arena, number: string, type?: string): Promise<Shipment> {
  return must(await service.client('GET', inboundPath(number, type)), 200).body as Shipment;
}

interface Move {
  from: string;
  to: string;
  quantity: number;
  cause: string;
}

export async function levelOf({ service }: Arena, itemId: string, nodeId = KEEPS): Promise<StockLevel> {
  const answer = must(await service.client('GET', `${nodePath(nodeId)}/stock?itemId=${itemId}`), 200);
  const [level] = (answer.body as { stock: StockLevel[] }).stock;
  return (
    level ?? {
      itemId,
      shelf: 0,
      staged: 0,
      damaged: 0,
      held: 0,
      missing: 0,
      reserved: 0,
      available: 0,
      revision: 0,
      incoming: [],
    }
  );
}

/** Returns the sorted statuses of the responses, such as `201 409 409`. */
export const statusesOf = (answers: readonly Answer[]) =>
  answers
    .map(({ status }) => status)
    .sort()
    .join(' ');
export const shortOf = (answers: readonly Answer[]) => answers.map(inShort).join('; ');

const PLACES = { shelf: 'SHELF', staged: 'STAGE', damaged: 'DAMAGED', held: 'HELD', missing: 'MISSING' } as const;

/**
 * Checks that the sums of shipments add up. Compares the levels of items with their moves, and with the units that
 * orders have picked or still need.
 */
export async function account(
  arena: Arena,
  { asns = [], items = [], nodeId = KEEPS }: { asns?: readonly string[]; items?: readonly string[]; nodeId?: string },
): Promise<void> {
  for (const number of asns)
    for (const what of faultsOf(await shipment(arena, number))) arena.fail(`ASN ${number}: ${what}`);
  for (const itemId of items) {
    for (const what of await stockFaults(arena, itemId, nodeId)) arena.fail(`stock of ${itemId} at ${nodeId}: ${what}`);
  }
}

function* faultsOf({ sums, receipts, state }: Shipment) {
  const { keys, cartons, items, total } = sums;
  for (const one of [...keys, ...cartons, ...items, total]) {
    const { announced, over, good, damaged, refused, held, short, open } = one;
    if (announced + over !== good + damaged + refused + held + short + open)
      yield `does not add up: ${JSON.stringify(one)}`;
  }
  const sum = (list: readonly Partial<InboundSums>[], member: keyof InboundSums) =>
    list.reduce((all, one) => all + (one[member] ?? 0), 0);
  for (const list of [keys, cartons, items]) {
    if (MEMBERS.some((member) => sum(list, member) !== total[member]))
      yield `its parts do not add up to its total: ${JSON.stringify(sums)}`;
  }
  const entries = receipts.flatMap(({ lines }) => lines);
  // An approval changes the kind of held units, but it is not a receipt.
  const arrived = (list: readonly Partial<InboundSums>[]) =>
    (['good', 'damaged', 'refused', 'held'] as const).reduce((units, kind) => units + sum(list, kind), 0);
  if (arrived(entries) !== arrived([total])) yield `its receipts do not add up to its sums: ${JSON.stringify(total)}`;
  if (receipts.length > 0 && state === 'EXPECTED') yield 'is expected and has receipts';
}

async function stockFaults(arena: Arena, itemId: string, nodeId: string): Promise<string[]> {
  const { service } = arena;
  const level = await levelOf(arena, itemId, nodeId);
  const answer = must(await service.client('GET', `${nodePath(nodeId)}/stock/${itemId}/moves?pageSize=500`), 200);
  const { moves } = answer.body as { moves: Move[] };
  const faults: string[] = [];
  for (const [member, place] of Object.entries(PLACES)) {
    const units = moves.reduce(
      (sum, { from, to, quantity }) => sum + (to === place ? quantity : from === place ? -quantity : 0),
      0,
    );
    const is = level[member as keyof typeof PLACES];
    if (units !== is || is < 0) faults.push(`${member} is ${is}, the sum of its moves is ${units}`);
  }
  const [orders] = await rowsOf<{ held: number; open: number; loose: number }>(
    arena,
    sql`select coalesce(cast(sum(l.picked - l.handed_over - l.refused - l.returned - l.missing) as bigint), 0) as held,
        coalesce(cast(sum(l.ordered - l.picked - l.declined - l.canceled) as bigint), 0) as open,
        coalesce((select loose from stock_levels where client_id = 'TOWN' and node_id = ${nodeId} and item_id = ${itemId}), 0) as loose
      from order_lines l join fulfillment_orders o
        on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      where o.client_id = 'TOWN' and o.node_id = ${nodeId} and l.item_id = ${itemId}`,
  );
  const { held, open, loose } = orders!;
  if (level.staged - loose !== held) faults.push(`${level.staged} are staged (${loose} loose), orders hold ${held}`);
  if (level.reserved !== open) faults.push(`${level.reserved} are reserved, ${open} are open`);
  if (level.available !== level.shelf - level.reserved) faults.push(`${level.available} are available`);
  return faults;
}
