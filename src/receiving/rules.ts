/**
 * Rules of an inbound message beyond its form (docs/interface.md#inbound-rules): agreement between its fields, and
 * agreement with the stored data. `checkAgreement` and `checkKnown` add every error that they find. Neither of them
 * queries the database.
 */

import { quote } from '../platform/message/words.ts';
import { Pace } from '../platform/pace.ts';
import { itemIdOf } from '../shared/item-id.ts';
import type { Location } from './location.ts';
import type { Reading } from './reading.ts';

/** Checks that ASN lines have the header's ASNNumber, and all lines the header's ReceivingWarehouseId. */
export async function checkAgreement(reading: Reading): Promise<void> {
  const pace = new Pace();
  const members = reading.type === 'ASN' ? ['asnNumber', 'receivingWarehouseId'] : ['receivingWarehouseId'];
  for (const member of members) {
    const expected = headerMember(reading, member);
    if (expected === undefined) continue;
    for (let index = 0; index < reading.lines.length && !reading.errors.overflows; index += 1) {
      await pace.rest();
      const said = lineMember(reading, index, member);
      if (said === undefined || said === expected) continue;
      const where = reading.linePlace(index, member);
      const sentence = `'${where.step}' is ${quote(said)}, but ${quote(expected)} in the header; send the same value in both`;
      reading.errors.add(where, 'header-mismatch', sentence);
    }
  }
}

/**
 * The stored data that a message names. A field is undefined if its record does not exist or the caller has no access
 * to the record.
 */
export interface Known {
  store: { storeId: string; catalogId: string } | undefined;
  warehouse: { nodeId: string } | undefined;
  /** Item ids of the lines, without the ids of missing items; undefined if the items were not looked up. */
  itemIds: ReadonlySet<string> | undefined;
}

/** Adds an error for an unknown store or warehouse, and for each item that is not in the catalog of the store. */
export async function checkKnown(reading: Reading, sellerId: string, known: Known): Promise<void> {
  const { storeCode, warehouseId } = namesIn(reading);
  if (storeCode !== undefined && known.store === undefined) {
    const place = reading.headerPlace('storeCode');
    const sentence = `seller ${quote(sellerId)} has no store with ${place.step} ${quote(storeCode)}; send the code that the operator assigned`;
    reading.errors.add(place, 'store', sentence, 'STORE_NOT_FOUND');
  }
  if (warehouseId !== undefined && known.warehouse === undefined) {
    const place = reading.headerPlace('receivingWarehouseId');
    const sentence = `there is no warehouse with ${place.step} ${quote(warehouseId)}; send the id that the operator assigned`;
    reading.errors.add(place, 'warehouse', sentence, 'WAREHOUSE_NOT_FOUND');
  }
  if (known.store === undefined || known.itemIds === undefined) return;
  const { catalogId } = known.store;
  for (const { index, clientItemId } of await itemsIn(reading)) {
    if (reading.errors.overflows) return;
    const itemId = itemIdOf(catalogId, clientItemId);
    if (known.itemIds.has(itemId)) continue;
    const place = reading.linePlace(index, 'clientItemId');
    const sentence = `there is no item ${quote(itemId)}; put it into the catalog first, or correct ${place.step}`;
    reading.errors.add(place, 'item', sentence, 'ITEM_NOT_FOUND');
  }
}

/** Returns the store code and warehouse id of the header, if their form is valid. */
export function namesIn(reading: Reading): { storeCode: string | undefined; warehouseId: string | undefined } {
  return { storeCode: headerMember(reading, 'storeCode'), warehouseId: headerMember(reading, 'receivingWarehouseId') };
}

/** Returns the item id of each line whose item id is valid, with the index of the line. */
export async function itemsIn(reading: Reading): Promise<{ index: number; clientItemId: string }[]> {
  const pace = new Pace();
  const items: { index: number; clientItemId: string }[] = [];
  for (let index = 0; index < reading.lines.length; index += 1) {
    await pace.rest();
    const clientItemId = lineMember(reading, index, 'clientItemId');
    if (clientItemId !== undefined) items.push({ index, clientItemId });
  }
  return items;
}

function headerMember(reading: Reading, member: string): string | undefined {
  return validText(reading, reading.header[member], () => reading.headerPlace(member));
}

function lineMember(reading: Reading, index: number, member: string): string | undefined {
  const line = reading.lines[index] as Record<string, unknown> | null | undefined;
  return validText(reading, line?.[member], () => reading.linePlace(index, member));
}

function validText(reading: Reading, value: unknown, place: () => Location): string | undefined {
  return typeof value === 'string' && reading.isValid(place) ? value : undefined;
}
