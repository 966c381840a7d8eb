/** Receiving on the floor: the words of items, and the meaning of a scanned code. */
import { signal } from '@preact/signals';
import type { components } from '../../../contract/client.d.ts';
import { clientItemIdOf } from '../../../src/shared/item-id.ts';
import { ApiError, call, giveUpAfter } from '../../api.ts';
import { readChoices, storeOfItem } from '../../choices.ts';
import type { InboundSubject } from '../../offline/commands.ts';
import type { KeySums, Receipt, Shipment } from '../../offline/inbound.ts';
import { online } from '../../preferences.ts';
import { at, href } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { place } from '../../session.ts';
import { t, time, word } from '../../texts/index.ts';
import type { FoundItem } from '../../work/item-choice-dialog.tsx';
import { type ItemWords, isOld, wordsOfItems } from '../../work/item-words.ts';

/** A shipment in the worklist of the node. */
export type Arrival = components['schemas']['NodeInboundSummary'];

/** Returns the path of the node's operations. */
export function nodePath(): string {
  const { clientId, nodeId } = place.peek()!;
  return `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}`;
}

/** Returns the identity of a shipment of the node. */
export function subjectOf({ type, number, sellerId }: Pick<Arrival, 'type' | 'number' | 'sellerId'>): InboundSubject {
  const { clientId, nodeId } = place.peek()!;
  return { kind: 'inbound', clientId, nodeId, type, sellerId, id: number };
}

/** Returns the address of a shipment's screen, or of a screen below it. */
export function shipmentHref(
  { type, number, sellerId }: Pick<Arrival, 'type' | 'number' | 'sellerId'>,
  ...below: readonly string[]
): string {
  return href(at('receive', type, number, ...below), { sellerId });
}

/**
 * Returns the type of a shipment in words; undefined if the number of the shipment begins with this word, as in
 * ASN-0421.
 */
export function typeWord({ type, number }: Pick<Arrival, 'type' | 'number'>): string | undefined {
  const name = t().receive.types[type];
  return number.startsWith(name) ? undefined : name;
}

/** Names and codes of the items that this device knows, by item id. */
export const itemWords = signal<Readonly<Record<string, ItemWords>>>({});
/**
 * Maximum number of items per shipment whose names are read. Larger shipments are received by whole cartons, which
 * needs no names.
 */
const NAMED = 300;
const AT_ONCE = 8;

/** Reads the names and codes of a shipment's items. The device keeps them. */
export async function loadWords({ sums }: Pick<Shipment, 'sums'>): Promise<void> {
  await loadWordsOf(sums.items.map(({ itemId }) => itemId).slice(0, NAMED));
}

/** Items that wait for another read. */
const rereading = new Set<string>();
let reread = Promise.resolve();

/** Reads names and codes of items. Does not wait for those that the device has, but reads them again if they are old. */
export async function loadWordsOf(itemIds: readonly string[]): Promise<void> {
  const [words, ids] = [itemWords.peek(), [...new Set(itemIds)]];
  const old = ids.filter((id) => words[id] !== undefined && isOld(words[id]) && !rereading.has(id));
  for (const id of old) rereading.add(id);
  // One after the other, because after a change of the user, the items of all shipments on the device are old.
  reread = reread
    .then(() => readWords(old))
    .catch(() => undefined)
    .then(() => {
      for (const id of old) rereading.delete(id);
    });
  await readWords(ids.filter((id) => words[id] === undefined));
}

async function readWords(missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return;
  const settings = await readChoices();
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const ofStore = Map.groupBy(missing.slice(from, from + AT_ONCE), (itemId) => storeOfItem(settings, itemId));
    await Promise.all(
      [...ofStore].map(async ([storeId, ids]) => {
        if (storeId === undefined) return;
        const found = await wordsOfItems(storeId, ids);
        itemWords.value = { ...itemWords.peek(), ...found };
      }),
    );
  }
}

/** Maximum number of rows that are visible without scrolling. */
const FIRST_SEEN = 16;

/**
 * Waits for the names of the visible rows, so that no row moves later; the other names load afterwards. Without the
 * network there are no names.
 */
export async function firstNames(itemIds: readonly string[]): Promise<void> {
  const rest = () => loadWordsOf(itemIds.slice(FIRST_SEEN)).catch(() => undefined);
  await loadWordsOf(itemIds.slice(0, FIRST_SEEN)).then(
    () => void rest(),
    () => undefined,
  );
}

export function nameOf({ itemId, clientItemId }: { itemId: string; clientItemId?: string }): string {
  return itemWords.value[itemId]?.name ?? clientItemId ?? itemId;
}

/** Returns whether the code belongs to the item: its itemId, its clientItemId, or a bar code. */
export function isCodeOf(code: string, { itemId }: Pick<KeySums, 'itemId'>): boolean {
  return isOneOf(code, [itemId, clientItemIdOf(itemId), ...(itemWords.peek()[itemId]?.upcs ?? [])]);
}

/** Returns whether a code is the label of a carton, with or without its application identifier. */
export function isLabelOf(code: string, cartonId: string): boolean {
  return isOneOf(code, [cartonId]);
}

/** A match of the service for a code at this node. */
export type Match = components['schemas']['ScanMatch'];

/** Looks up a code at the service. @throws ApiError */
export async function lookUp(code: string, signal?: AbortSignal): Promise<Match[]> {
  const options = { body: { code }, ...(signal && { signal }) };
  const { matches } = await call<{ matches: Match[] }>('POST', `${nodePath()}/scan`, options);
  return matches;
}

/** Time after which the items on this device are used instead of a late response. */
const LATE_MS = 3_000;
/** Time for which the items of a code are not read again: users often scan one code many times in a row. */
const RECENT_MS = 10_000;
let recent: { key: string; at: number; found: FoundItem[] } | undefined;

/**
 * Returns the items of a scanned code; none if the code is unknown. It asks the service, because this device knows only
 * some items, and its data can be old. If the service does not respond, the items on this device are used.
 * @throws ApiError
 */
export async function itemsOfCode(code: string): Promise<FoundItem[]> {
  const key = `${nodePath()} ${code}`;
  if (recent?.key === key && Date.now() - recent.at < RECENT_MS) return recent.found;
  const onDevice = Object.entries(itemWords.peek())
    .filter(([itemId]) => isCodeOf(code, { itemId }))
    .map(([itemId, { name }]) => ({ itemId, name }));
  const isKnown = onDevice.length > 0;
  if (isKnown && !online.peek()) return onDevice;
  const matches = await lookUp(code, isKnown ? giveUpAfter(LATE_MS) : undefined).catch((error: unknown) => {
    if (isKnown && (isAway(error) || error instanceof DOMException)) return undefined;
    throw error;
  });
  if (matches === undefined) return onDevice;
  const found = matches.filter(({ kind }) => kind === 'ITEM').map(({ id, label }) => ({ itemId: id, name: label }));
  await loadWordsOf(found.map(({ itemId }) => itemId)).catch(() => undefined);
  if (found.length > 0) recent = { key, at: Date.now(), found };
  return found;
}

/** Returns the last part of a carton's label, which users read aloud. */
export function shortLabel(cartonId: string): string {
  return cartonId.length > 10 ? `…${cartonId.slice(-6)}` : cartonId;
}

/** Returns the last digits of up to three orders. A word joiner keeps the ellipsis and its digits on one line. */
export function firstOrders(orders: readonly { fulfillmentOrderId: string }[]): string {
  const labels = orders.slice(0, 3).map(({ fulfillmentOrderId }) => shortLabel(fulfillmentOrderId));
  return labels.join(', ').replaceAll('…', '…\u2060');
}

/** Returns the last receipt of a carton, without undone receipts; undefined if there is none. */
export function receiptOf({ receipts }: Shipment, cartonId: string): Receipt | undefined {
  const corrected = new Set(receipts.flatMap(({ corrects }) => corrects ?? []));
  return receipts.findLast(
    ({ receiptId, corrects, cartons, lines }) =>
      corrects === undefined &&
      !corrected.has(receiptId) &&
      (cartons.some((one) => one.cartonId === cartonId) || lines.some((one) => one.cartonId === cartonId)),
  );
}

/** Returns the text for a carton that is already received: the user and the time of its receipt, if they are known. */
export function alreadyWords(
  shipment: Shipment,
  cartonId: string,
  personOf: (user: { userId: string }) => string,
): [title: string, detail: string] {
  const { receive } = t();
  const by = receiptOf(shipment, cartonId);
  return [
    receive.already(shortLabel(cartonId)),
    by === undefined ? receive.alreadyHint : receive.alreadyBy(personOf(by), time(by.at)),
  ];
}

/** Returns the words of a reason. A typed reason is returned unchanged. */
export function reasonWord(reason: string): string {
  return word(t().receive.reasons, reason);
}

/** Returns whether an error means that the service cannot be reached or is busy, so that a retry may succeed. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.passes;
}

/** Returns the date of a time in a time zone; default: the zone of the device. */
export function dayAt(timeZone: string | undefined, at: string | number): string {
  // Swedish writes dates in the format of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(new Date(at));
}
