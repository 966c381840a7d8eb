/** Names, codes and pictures of the items of a job. The device keeps them. */

import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { ApiError, api, send } from '../api.ts';
import type { CheckInDetails } from '../offline/commands.ts';
import { outbox } from '../offline/index.ts';
import { session } from '../session.ts';
import { allowed } from '../ui/picture.tsx';

export interface ItemWords {
  name: string;
  upcs: string[];
  imageUrl?: string;
  /** Time of the last read, epoch milliseconds. */
  readAt: number;
  /** The sign-in of the read: a sign-out deletes the stored words. */
  signIn: number;
}

type Item = components['schemas']['Item'];

/** Returns the items of a check-in by id, as `wordsOfItems` does. */
export async function keepItems(details: CheckInDetails): Promise<Record<string, ItemWords>> {
  const { storeId } = details;
  const ids = [
    ...new Set(details.checkInPackages.flatMap((one) => one.checkInPackageItems.map(({ itemId }) => itemId))),
  ];
  return wordsOfItems(storeId, ids);
}

/**
 * Returns items by id, from the service or from this device. Items that cannot be read are left out: an item can be
 * deleted while an order has it.
 * @throws the last error other than 404 if no item can be read
 */
export async function wordsOfItems(storeId: string, ids: readonly string[]): Promise<Record<string, ItemWords>> {
  const found: Record<string, ItemWords> = {};
  let failed: Error | undefined;
  const read = async (itemId: string) => {
    try {
      found[itemId] = await itemOf(storeId, itemId);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) failed = error as Error;
    }
  };
  await Promise.all(ids.map(read));
  if (failed !== undefined && Object.keys(found).length === 0) throw failed;
  return found;
}

/** Time after which an item is read again, because the catalog may have another name or bar code for it. */
const OLD_MS = 10 * 60_000;

/** Number of changes of the user since the page was loaded. */
let signIns = 0;
let owner = '';
effect(() => {
  const { clientId, userId } = session.value?.user ?? {};
  const next = JSON.stringify([clientId, userId]);
  if (next !== owner) signIns += 1;
  owner = next;
});

/** Returns whether the words of an item must be read again: after some time, or because the disk has lost them. */
export const isOld = ({ readAt, signIn }: ItemWords): boolean => Date.now() - readAt > OLD_MS || signIn !== signIns;

const known = new Map<string, ItemWords>();
const keyOf = (storeId: string, itemId: string) => `item ${storeId} ${itemId}`;

async function itemOf(storeId: string, itemId: string): Promise<ItemWords> {
  const key = keyOf(storeId, itemId);
  const before = known.get(key);
  if (before !== undefined && !isOld(before)) return before;
  const signIn = signIns;
  const load = async () => {
    const path = { storeId, itemId };
    const read = await send(api.GET('/item-service/stores/{storeId}/items/{itemId}', { params: { path } }));
    return wordsOf(read);
  };
  const { body } = await outbox.snapshot.cached(key, load).catch((error: unknown) => {
    if (before !== undefined && error instanceof ApiError && error.passes) return { body: before };
    throw error;
  });
  // Without the network, `body` is from this device. Its `readAt` becomes the present time, so that not every use reads
  // the item again.
  const words = { ...body, readAt: Date.now(), signIn };
  known.set(key, words);
  return words;
}

function wordsOf({
  description,
  productTitle,
  itemId,
  upcs = [],
  images = [],
}: Item): Omit<ItemWords, 'readAt' | 'signIn'> {
  // Only pictures of origins in the client's settings are shown, because the page must not load pictures of other
  // origins.
  const imageUrl = images.map(({ url }) => url).find((url) => allowed(url) !== undefined);
  return {
    name: description || productTitle || itemId,
    upcs: upcs.map(({ upc }) => upc),
    ...(imageUrl !== undefined && { imageUrl }),
  };
}

/**
 * Loads the items of a job by id. Each item appears when it is loaded. An item that was read too long ago appears at
 * once and is read again. Without the network, it uses the items on this device.
 */
export function useItemWords(storeId: string, ids: readonly string[]): Readonly<Record<string, ItemWords>> {
  const [words, setWords] = useState<Readonly<Record<string, ItemWords>>>({});
  useEffect(() => {
    const add = (itemId: string, one: ItemWords | undefined) =>
      one !== undefined && setWords((before) => ({ ...before, [itemId]: one }));
    const read = async (itemId: string) => {
      add(itemId, known.get(keyOf(storeId, itemId)));
      add(itemId, await itemOf(storeId, itemId).catch(() => undefined));
    };
    for (const itemId of new Set(ids)) void read(itemId);
  }, [storeId, ids.join(' ')]);
  return words;
}
