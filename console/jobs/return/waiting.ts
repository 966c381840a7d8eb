/** Announced returns of this node: read from the service, and kept on the device with the names of their items. */
import type { components } from '../../../contract/client.d.ts';
import { call } from '../../api.ts';
import { outbox } from '../../offline/index.ts';
import { type ReturnView, returnView } from '../../offline/return-view.ts';
import { countedOf, isEnded, isOpen, type Returned } from '../../offline/returned.ts';
import { keepReturn } from '../../offline/returns.ts';
import { at } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { may, place } from '../../session.ts';
import { wordsOfItems } from '../../work/item-words.ts';
import { readWork } from '../../work/node-work.ts';
import { subjectOf } from './use-returned.ts';

/** Maximum number of returns of a web store in one state that the device keeps for work without the network. */
const KEPT_MAX = 100;

/** Maximum number of returns of a web store that may have changed and that are read at once. The next read continues. */
const AGAIN_MAX = 20;

/** Times of the last tries, by `returnKey`. A read that fails, or meets an unclear command, stores no return. */
const triedAt = new Map<string, number>();

type Summary = components['schemas']['ReturnSummary'];
export type OrdersOfReturn = Summary['orders'];

/** Returns a key of a return that is unique among all web stores. */
export function returnKey({ storeId, number }: Pick<Returned, 'storeId' | 'number'>): string {
  return `${storeId} ${number}`;
}

/**
 * Reads and keeps the open returns that are expected or being received at this node. Returns their orders with the
 * names of the customers, by `returnKey`; the device does not keep these names. @throws ApiError
 */
export async function keepWaiting(signal: AbortSignal): Promise<ReadonlyMap<string, OrdersOfReturn>> {
  if (!may('receive')) return new Map();
  const { nodeId } = place.peek()!;
  const storeIds = await storesWaiting(signal);
  const all = await Promise.all(storeIds.map((storeId) => keepWaitingOf(storeId, nodeId, signal)));
  return new Map(all.flat().map((one) => [returnKey(one), one.orders]));
}

/** Returns the web stores with open returns of this node, in the service or on this device. */
async function storesWaiting(signal: AbortSignal): Promise<string[]> {
  const { returns } = await readWork(signal);
  return [...new Set([...returns.storeIds, ...waitingReturns().map(({ returned }) => returned.storeId)])];
}

interface Page {
  returns: readonly Summary[];
  next?: string;
}

/** Reads the open returns of a web store, the newest first: a page of each state, so that those in progress are kept. */
async function keepWaitingOf(storeId: string, nodeId: string, signal: AbortSignal): Promise<readonly Summary[]> {
  const path = `${at('operator', 'v1', 'stores', storeId, 'returns', 'search')}?limit=${KEPT_MAX}&order=desc`;
  const read = (state: Returned['state']) => call<Page>('POST', path, { body: { nodeId, states: [state] }, signal });
  const pages = { RECEIVING: await read('RECEIVING'), REQUESTED: await read('REQUESTED') };
  const returns = [...pages.RECEIVING.returns, ...pages.REQUESTED.returns];
  for (const { orders: _names, ...one } of returns) {
    const shown = { ...one, receipts: [], refunds: [], exchanges: [] };
    await outbox.snapshot.keepReturn(subjectOf(storeId, one.number), shown);
  }
  const items = new Set(returns.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)));
  // Without the names, the screen shows the ids of the items.
  await wordsOfItems(storeId, [...items]).catch(() => undefined);
  signal.throwIfAborted();
  // The names of the customers do not wait for these reads.
  void refreshOthers(storeId, pages, signal);
  return returns;
}

/**
 * Reads again those returns on this device that were changed elsewhere. Their revision differs, or no page has them,
 * because they are closed or canceled. The pages have no receipts, so they cannot replace the stored returns.
 */
async function refreshOthers(
  storeId: string,
  pages: Record<'RECEIVING' | 'REQUESTED', Page>,
  signal: AbortSignal,
): Promise<void> {
  const listed = new Map(Object.values(pages).flatMap((page) => page.returns.map((one) => [one.number, one])));
  const changed: ReturnView[] = [];
  const unsure: ReturnView[] = [];
  for (const view of waitingReturns()) {
    const { number, revision, state, receipts, totals, createdAt } = view.returned;
    if (view.returned.storeId !== storeId) continue;
    const { returns, next } = pages[state as keyof typeof pages];
    // If there are further pages, they have older open returns.
    const isOlder = !listed.has(number) && next !== undefined && createdAt <= returns.at(-1)!.createdAt;
    if (!isOlder && listed.get(number)?.revision !== revision) changed.push(view);
    // Without its receipts, a return that others count cannot be corrected without the network.
    else if (isOlder || (receipts.length === 0 && view.waiting === 0 && countedOf(totals) > 0)) unsure.push(view);
  }
  const lastOf = ({ returned, at: readAt }: ReturnView) => triedAt.get(returnKey(returned)) ?? readAt;
  const next = unsure.toSorted((a, b) => lastOf(a) - lastOf(b)).slice(0, AGAIN_MAX);
  for (const { returned } of [...changed, ...next]) {
    if (signal.aborted) return;
    triedAt.set(returnKey(returned), Date.now());
    // If the read fails, the screen shows the stored return until the next try.
    await keepReturn(subjectOf(storeId, returned.number)).catch(() => undefined);
  }
}

/** Returns the open returns on this device that wait at this node, those in progress first. */
export function waitingReturns(): ReturnView[] {
  return returnsOfDevice()
    .filter((one) => isHere(one) && isOpen(one.returned))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.returned.createdAt < b.returned.createdAt ? -1 : 1));
}

function rankOf({ returned: { state, inTransitAt } }: ReturnView): number {
  return state === 'RECEIVING' ? 0 : inTransitAt === undefined ? 2 : 1;
}

function returnsOfDevice(): ReturnView[] {
  return outbox.snapshot.returns.value.map(returnView);
}

/** Returns whether a return is expected or being received at this node. */
function isHere({ returned: { nodeId, expectedNodeId } }: ReturnView): boolean {
  const here = place.value!.nodeId;
  return (nodeId ?? expectedNodeId ?? here) === here;
}

/**
 * Returns the returns on this device with this number or parcel: the open ones of this node. If there are none, those
 * of other nodes, because a customer may bring a return to any store; then the canceled and expired ones; then the
 * closed ones.
 */
export function onDevice(code: string): ReturnView[] {
  const all = returnsOfDevice().filter(({ returned: { number, trackingNumber } }) =>
    isOneOf(code, [number, trackingNumber ?? number]),
  );
  const open = all.filter(({ returned }) => isOpen(returned));
  const ended = all.filter(({ returned }) => isEnded(returned));
  return [open.filter(isHere), open, ended].find(({ length }) => length > 0) ?? all;
}
