/** Compares the stock of stores at the end of a day with the units that were received, picked and checked in there. */
import type { StockLevel } from '../../src/stock/schema.ts';
import { type Delivery, placeOf } from './delivery.ts';
import type { Caller } from './http.ts';
import { sum } from './journey.ts';
import type { Tally } from './work.ts';

const PAGE_SIZE = 500;

export interface Shelves {
  /** Number of stores that keep stock, and number of their items with a stock level. */
  stores: number;
  items: number;
  shelf: number;
  staged: number;
  damaged: number;
  reserved: number;
  /** Units that were picked but never received. */
  behind: number;
}

/**
 * Reads the levels of every store that keeps stock and compares each with the account of the day. Received units are on
 * the shelf until they are picked; picked and checked-in units are staged.
 */
export async function countShelves(
  caller: Caller,
  clientId: string,
  { keeping, shelf, damaged }: Delivery,
  { shelved, arrived }: Pick<Tally, 'shelved' | 'arrived'>,
): Promise<{ shelves: Shelves; faults: string[] }> {
  const faults: string[] = [];
  const all: StockLevel[] = [];
  let behind = 0;
  const expected = new Set([...shelf.keys(), ...damaged.keys(), ...shelved.keys(), ...arrived.keys()]);
  for (const nodeId of keeping) {
    const levels = await levelsOf(caller, stockPath(clientId, nodeId));
    all.push(...levels);
    const known = new Map(levels.map((level) => [placeOf(nodeId, level.itemId), level]));
    for (const place of [...expected].filter((one) => one.startsWith(`${nodeId} `))) {
      const [came, picked] = [shelf.get(place) ?? 0, shelved.get(place) ?? 0];
      behind += Math.max(0, picked - came);
      const should = {
        shelf: Math.max(0, came - picked),
        staged: picked + (arrived.get(place) ?? 0),
        damaged: damaged.get(place) ?? 0,
        held: 0,
        missing: 0,
      };
      const level = known.get(place);
      for (const [name, units] of Object.entries(should)) {
        const is = level?.[name as keyof typeof should] ?? 0;
        if (is !== units) faults.push(`${name} of ${place}: ${is}, but the account has ${units}`);
      }
    }
    for (const [place, { shelf: units, staged }] of known) {
      if (!expected.has(place) && units + staged > 0)
        faults.push(`${place} has ${units} and ${staged} units that the account lacks`);
    }
  }
  const total = (name: Exclude<keyof StockLevel, 'itemId' | 'incoming' | 'putAway'>) =>
    sum(all, (level) => level[name]);
  const [onShelf, staged] = [total('shelf'), total('staged')];
  return {
    shelves: {
      stores: keeping.length,
      items: all.length,
      shelf: onShelf,
      staged,
      damaged: total('damaged'),
      reserved: total('reserved'),
      behind,
    },
    faults,
  };
}

async function levelsOf(caller: Caller, path: string): Promise<StockLevel[]> {
  const levels: StockLevel[] = [];
  for (let after = ''; ; ) {
    const query = after === '' ? '' : `&lastRecordId=${encodeURIComponent(after)}`;
    const page = await caller.send<{ stock: StockLevel[]; lastRecordId?: string }>(
      'GET',
      `${path}?pageSize=${PAGE_SIZE}${query}`,
    );
    levels.push(...page.stock);
    if (page.lastRecordId === undefined) return levels;
    after = page.lastRecordId;
  }
}

/** Makes the store keep stock. */
export async function keepStock(operator: Caller, clientId: string, nodeId: string): Promise<void> {
  const path = `/operator/v1/clients/${clientId}/nodes/${nodeId}`;
  await operator.send('PUT', path, { ...(await operator.send<object>('GET', path)), stock: 'KEPT' });
}

/**
 * Returns one sentence for each item with staged or reserved units. After the end of all orders, no units may be staged
 * or reserved.
 */
export async function leftOver(caller: Caller, clientId: string, nodeIds: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const nodeId of nodeIds) {
    for (const { itemId, staged, reserved } of await levelsOf(caller, stockPath(clientId, nodeId))) {
      if (staged + reserved === 0) continue;
      faults.push(`${placeOf(nodeId, itemId)}: ${staged} staged and ${reserved} reserved without an open order`);
    }
  }
  return faults;
}

const stockPath = (clientId: string, nodeId: string) => `/operator/v1/clients/${clientId}/nodes/${nodeId}/stock`;
