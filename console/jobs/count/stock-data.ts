/** Reads the stock of the node. */
import type { components } from '../../../contract/client.d.ts';
import { clientItemIdOf } from '../../../src/shared/item-id.ts';
import { call } from '../../api.ts';
import { contentOf, isOneOf } from '../../scan/codes.ts';
import { allOf } from '../../ui/all-of.ts';
import { itemsOfCode, nodePath } from '../receive/receiving.ts';

export type StockPlace = components['schemas']['Count']['lines'][number]['place'];
export const STOCK_PLACES = allOf<StockPlace>()(['SHELF', 'STAGE', 'DAMAGED', 'HELD', 'MISSING']);

/** Units of an item at the node. */
export type StockLevel = components['schemas']['StockLevel'];

/** Returns the units at a place. */
export function unitsAt(level: StockLevel, place: StockPlace): number {
  const { shelf, staged, damaged, held, missing } = level;
  return { SHELF: shelf, STAGE: staged, DAMAGED: damaged, HELD: held, MISSING: missing }[place];
}

export type StockMove = components['schemas']['StockMove'];

export type StockCount = components['schemas']['Count'];

export type WantedCount = components['schemas']['WantedCounts']['wanted'][number];

type Query = Readonly<Record<string, string | undefined>>;

async function read<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const set = Object.entries(query).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  const asked = set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
  return call<T>('GET', `${nodePath()}${path}${asked}`, signal && { signal });
}

/** Reads a page of stock levels. @throws ApiError */
export function readStock(query: Query, signal?: AbortSignal) {
  return read<{ stock: StockLevel[]; lastRecordId?: string }>('/stock', query, signal);
}

/** Returns the items of a scanned code; if there are none, the deleted items of this number at the node. @throws ApiError */
export async function stockedOfCode(code: string): ReturnType<typeof itemsOfCode> {
  const found = await itemsOfCode(code);
  if (found.length > 0) return found;
  const { stock } = await readStock({ q: contentOf(code) });
  return stock
    .filter(({ itemId }) => isOneOf(code, [itemId, clientItemIdOf(itemId)]))
    .map(({ itemId }) => ({ itemId, name: itemId }));
}

/** Reads the level of one item. An item that the node never had gets revision 0. @throws ApiError */
export async function readLevel(itemId: string, signal?: AbortSignal): Promise<StockLevel> {
  const { stock } = await readStock({ itemId }, signal);
  return (
    stock[0] ?? {
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

/** Reads the moves of an item after a revision, the newest first. @throws ApiError */
export async function readMoves(itemId: string, revision: number, signal?: AbortSignal): Promise<StockMove[]> {
  const moves: StockMove[] = [];
  let after: string | undefined = String(revision);
  do {
    const page: { moves: StockMove[]; next?: string } = await read(
      `/stock/${encodeURIComponent(itemId)}/moves`,
      { limit: '500', after },
      signal,
    );
    moves.push(...page.moves);
    after = page.next;
  } while (after !== undefined);
  return moves.reverse();
}

/** Reads a page of the items that have to be counted. @throws ApiError */
export const readWanted = (after: string | undefined, signal?: AbortSignal) =>
  read<{ wanted: WantedCount[]; next?: string }>('/counts/wanted', { limit: '200', after }, signal);

/** Reads the counts that wait for approval. @throws ApiError */
export async function readWaiting(signal?: AbortSignal): Promise<StockCount[]> {
  const counts: StockCount[] = [];
  let after: string | undefined;
  do {
    const query = { state: 'WAITING', limit: '500', after };
    const page: { counts: StockCount[]; next?: string } = await read('/counts', query, signal);
    counts.push(...page.counts);
    after = page.next;
  } while (after !== undefined);
  return counts;
}
