/** The moves of clerks on items, their holds at the node, and announced shipments with one carton for each line. */
import { UNTOUCHED } from '../../../src/kernel/arrivals/sums.ts';
import type { Shipment, World } from '../world.ts';
import type { Clerk, Move, Moves } from './clerk.ts';
import { cartonOf } from './receiving.ts';
import { CLIENT, NODE_ID } from './words.ts';

/** Maximum number of items of a clerk. Each clerk orders, declines and releases only its own items. */
const ITEMS_MAX = 16;

/** Returns the items without a hold at the node. */
export function freeItems(clerk: Clerk): string[] {
  return clerk.all('item', (_state, id) => !isHeld(clerk, id)).map(([id]) => id);
}

function isHeld(clerk: Clerk, itemId: string): boolean {
  return clerk.world.get(`hold:${itemId}`) === true;
}

/** Puts items on hold, as a decline at the node does. Returns the number of items that were not on hold before. */
export function hold(clerk: Clerk, itemIds: readonly string[], effect: World): number {
  const fresh = new Set(itemIds.filter((id) => !isHeld(clerk, id)));
  for (const id of fresh) effect.set(`hold:${id}`, true);
  return fresh.size;
}

/** Returns the body of an item. */
export function itemBody(itemId: string, description: string) {
  return {
    catalogId: '21',
    clientId: 'TOWN',
    clientItemId: itemId.slice(3),
    itemId,
    type: 'MERCH',
    salesClass: 'stock',
    styleId: '',
    taxCode: '',
    description,
    associateDeliveryEligible: true,
  };
}

const putItem: Move = (clerk) => {
  const known = clerk.all('item', () => true).map(([id]) => id);
  const isNew = known.length < ITEMS_MAX && clerk.chance(0.5);
  const itemId = (isNew ? undefined : clerk.pick(known)) ?? `21-${clerk.name.toUpperCase()}-${known.length}`;
  const description = `as of ${clerk.newId()}`;
  const body = itemBody(itemId, description);
  const effect = new Map([[`item:${itemId}`, { description }]]);
  return clerk.sent({ method: 'PUT', path: `/item-service/clients/TOWN/items/${itemId}`, body, effect, events: 1 });
};

const release: Move = (clerk) => {
  const held = clerk.pick(clerk.all('hold', (isThere) => isThere === true));
  if (held === undefined) return undefined;
  const path = `${CLIENT}/nodes/${NODE_ID}/items/${held[0]}/hold`;
  return clerk.sent({ method: 'DELETE', path, effect: new Map([[`hold:${held[0]}`, null]]), events: 1 });
};

const transmit: Move = (clerk) => {
  const items = clerk.all('item', () => true).map(([id]) => id);
  if (items.length === 0) return undefined;
  const asnNumber = clerk.newId();
  const units = Array.from({ length: 1 + clerk.below(4) }, () => 1 + clerk.below(12));
  const shipment: Shipment = {
    state: 'EXPECTED',
    items: units.map(() => clerk.pick(items)!),
    units,
    keys: units.map(() => UNTOUCHED),
    whole: units.map(() => null),
    receipts: [],
    statements: 0,
    hasArrived: false,
    isComplete: false,
  };
  const header = {
    asnNumber,
    receivingType: 'A',
    receivingWarehouseId: 'DC001',
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'Fine Goods Ltd',
    storeCode: '988',
  };
  const detail = units.map((shippedQuantity, index) => ({
    asnNumber,
    cartonId: cartonOf(index),
    clientItemId: shipment.items[index]!.slice(3),
    itemCost: 12.5,
    receivingWarehouseId: 'DC001',
    shippedQuantity,
    trailerNumber: 'TR-7',
  }));
  return clerk.sent({
    method: 'POST',
    path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
    body: { asnData: [{ header, details: { detail } }] },
    effect: new Map([[`inbound:${asnNumber}`, shipment]]),
    events: 1,
  });
};

export const goodsMoves: Moves = [
  [8, putItem],
  [6, release],
  [6, transmit],
];
