/** Goods in on the floor: the arrivals of the node, shipments that are kept on the device, and what a scanned code means there. */
import { signal } from '@preact/signals';
import type { components } from '../../../contract/client.d.ts';
import { ApiError, call } from '../../api.ts';
import { readChoices } from '../../choices.ts';
import type { InboundSubject } from '../../offline/commands.ts';
import type { KeySums, Receipt, Shipment } from '../../offline/inbound.ts';
import { inboundView } from '../../offline/inbound-view.ts';
import { outbox } from '../../offline/index.ts';
import { keepInbound, shipmentView } from '../../offline/shipments.ts';
import { at, href } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { place } from '../../session.ts';
import { t, time, word } from '../../texts/index.ts';
import { type ItemWords, wordsOfItems } from '../../work/item-words.ts';

/** A shipment in the worklist of the node. */
export type Arrival = components['schemas']['NodeInboundSummary'];

/** The path of the operations of the node. */
export function nodePath(): string {
  const { clientId, nodeId } = place.peek()!;
  return `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}`;
}

/** What names a shipment of the node. */
export function subjectOf({ type, number, sellerId }: Pick<Arrival, 'type' | 'number' | 'sellerId'>): InboundSubject {
  const { clientId, nodeId } = place.peek()!;
  return { kind: 'inbound', clientId, nodeId, type, sellerId, id: number };
}

/** The address of a shipment's screen, or of one below it. */
export function shipmentHref(
  { type, number, sellerId }: Pick<Arrival, 'type' | 'number' | 'sellerId'>,
  ...below: readonly string[]
): string {
  return href(at('receive', type, number, ...below), { sellerId });
}

export interface Arrivals {
  inbound: Arrival[];
  isCut: boolean;
}

const PAGE = 200;

/** What is open at the node, or what was closed; `q` narrows it. @throws ApiError */
export async function findArrivals(q: string, isClosed: boolean, stop: AbortSignal): Promise<Arrivals> {
  const states = isClosed ? ['CLOSED'] : ['RECEIVING', 'EXPECTED'];
  const pages = await Promise.all(
    states.map((status) => {
      const query = new URLSearchParams({ status, pageSize: String(PAGE), ...(q !== '' && { q }) });
      return call<{ inbound: Arrival[]; lastRecordId?: string }>('GET', `${nodePath()}/inbound?${query}`, {
        signal: stop,
      });
    }),
  );
  return {
    inbound: pages.flatMap(({ inbound }) => inbound),
    isCut: pages.some(({ lastRecordId }) => lastRecordId !== undefined),
  };
}

/** So many shipments are kept on the device. */
const KEPT = 20;
/** A shipment with more keys is kept when it is opened, not before. */
const LARGE = 5_000;

let keeping: Promise<void> = Promise.resolve();

/** Keeps what is listed for work without the network, one after the other: the person comes first. */
export function keepArrivals({ inbound }: Arrivals): void {
  const open = inbound.filter(({ state, cartons }) => state !== 'CLOSED' && cartons < LARGE).slice(0, KEPT);
  keeping = keeping.then(async () => {
    for (const one of open) {
      const subject = subjectOf(one);
      if (shipmentView(subject) === undefined) await keepInbound(subject).catch(() => undefined);
      const view = shipmentView(subject);
      if (view !== undefined) await loadWords(view.shipment).catch(() => undefined);
    }
  });
}

/** Names and codes of items by their ids, as far as they are on this device. */
export const itemWords = signal<Readonly<Record<string, ItemWords>>>({});
/** So many items of one shipment get names; who receives more works by cartons. */
const NAMED = 300;
const AT_ONCE = 8;

/** Reads names and codes of a shipment's items; they stay on the device. */
export async function loadWords({ sums }: Pick<Shipment, 'sums'>): Promise<void> {
  await loadWordsOf(sums.items.map(({ itemId }) => itemId).slice(0, NAMED));
}

/** Reads names and codes of items. */
export async function loadWordsOf(itemIds: readonly string[]): Promise<void> {
  const missing = [...new Set(itemIds)].filter((id) => itemWords.peek()[id] === undefined);
  if (missing.length === 0) return;
  const { stores } = await readChoices();
  const storeId = stores[0]?.storeId;
  if (storeId === undefined) return;
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const found = await wordsOfItems(storeId, missing.slice(from, from + AT_ONCE));
    itemWords.value = { ...itemWords.peek(), ...found };
  }
}

/** So many rows at most are seen before somebody scrolls. */
const FIRST_SEEN = 16;

/** Waits for the names that are seen first, so that no row moves when they come; the others follow. Without network there are none. */
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

/** Whether a code is one of this item. */
export function isCodeOf(code: string, { itemId, clientItemId }: Pick<KeySums, 'itemId' | 'clientItemId'>): boolean {
  return isOneOf(code, [itemId, clientItemId, ...(itemWords.peek()[itemId]?.upcs ?? [])]);
}

/** Whether a code is the label of a carton, with or without its application identifier. */
export function isLabelOf(code: string, cartonId: string): boolean {
  return isOneOf(code, [cartonId]);
}

/** What the service finds for a code at this node. */
type Match = components['schemas']['ScanMatch'];

/** Looks a code up. @throws ApiError */
export async function lookUp(code: string): Promise<Match[]> {
  const { matches } = await call<{ matches: Match[] }>('POST', `${nodePath()}/scan`, { body: { code } });
  return matches;
}

/** The shipments on this device that have a carton of this code, or this number. */
export function shipmentsOnDevice(code: string): Shipment[] {
  const { nodeId } = place.peek()!;
  return outbox.snapshot.shipments
    .peek()
    .map(inboundView)
    .filter((view) => view.nodeId === nodeId)
    .map(({ shipment }) => shipment)
    .filter(
      ({ number, cartons }) => isOneOf(code, [number]) || cartons.some(({ cartonId }) => isLabelOf(code, cartonId)),
    );
}

/** The last part of a carton's label: what people read out. */
export function shortLabel(cartonId: string): string {
  return cartonId.length > 10 ? `…${cartonId.slice(-6)}` : cartonId;
}

/** The last receipt that booked something of a carton and was not taken back. */
export function receiptOf({ receipts }: Shipment, cartonId: string): Receipt | undefined {
  const corrected = new Set(receipts.flatMap(({ corrects }) => corrects ?? []));
  return receipts.findLast(
    ({ receiptId, corrects, cartons, lines }) =>
      corrects === undefined &&
      !corrected.has(receiptId) &&
      (cartons.some((one) => one.cartonId === cartonId) || lines.some((one) => one.cartonId === cartonId)),
  );
}

/** That a carton is received already, and by whom. */
export function alreadyWords(shipment: Shipment, cartonId: string): [title: string, detail: string] {
  const { receive } = t();
  const by = receiptOf(shipment, cartonId);
  return [
    receive.already(shortLabel(cartonId)),
    by === undefined ? receive.alreadyHint : receive.alreadyBy(by.userId, time(by.at)),
  ];
}

/** A reason in words; a typed reason is its own text. */
export function reasonWord(reason: string): string {
  return word(t().receive.reasons, reason);
}

/** Whether an error means that the service cannot be reached now. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.passes;
}

/** The plain date of now in a time zone. */
export function dayAt(timeZone: string | undefined): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...(timeZone !== undefined && { timeZone }) }).format(
    new Date(),
  );
}
