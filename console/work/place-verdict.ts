/** Decides whether a code is a place for goods. The service is asked about codes that are not on the device. */
import { call, giveUpAfter } from '../api.ts';
import { choices, readChoices } from '../choices.ts';
import { outbox } from '../offline/index.ts';
import { online } from '../preferences.ts';
import { contentOf, formsOf, isOneOf, readToday } from '../scan/codes.ts';
import { place as here } from '../session.ts';
import { PLACE_MAX } from './places.ts';

/** The meaning of a text in the field for a place. */
export type PlaceVerdict =
  /** A place of the store, in the store's spelling. */
  | { kind: 'place'; place: string }
  | { kind: 'item' }
  /** The shelf of an item of the work. An order must not be put there, because it would not be found again. */
  | { kind: 'shelf' }
  /** The number of an order, a ticket, a parcel or a return. */
  | { kind: 'number' }
  | { kind: 'unknown' };

/** The codes of a job that are no places for its goods. */
export interface JobCodes {
  /** The place that the service suggests; empty if it suggests none. */
  suggested?: string;
  /** Numbers of the job's orders and tickets. */
  numbers?: readonly string[];
  /** Codes of the job's items, of parts of bundles, and of the shelves of the items. */
  index?: Record<'items' | 'components' | 'places', { has: (form: string) => boolean }>;
}

/** Maximum time that a scan waits for the service. After that the user is asked. */
const ASK_MS = 2_000;
const NUMBERS = new Set(['ORDER', 'TICKET', 'PACKAGE', 'CARTON', 'SHIPMENT', 'RETURN']);

/**
 * Forms of numbers that a device does not know. Tickets, orders and most parcels have six or more digits. UPS, postal
 * services and DHL have tracking numbers of their own form. A store with place names of such a form must list them.
 */
const NUMBER = /^(?:\d{6,}|1Z[0-9A-Z]{16}|[A-Z]{2}\d{9}[A-Z]{2}|J[A-Z]{2,3}\d{10,})$/i;

/**
 * Decides whether a text is a place for the goods. Listed places are accepted, items and numbers are rejected. If
 * `isAsking` and the network is there, the service is asked about other texts. If the store lists no places, any other
 * text is accepted as a place.
 */
export async function placeVerdict(text: string, codes: JobCodes, isAsking: boolean): Promise<PlaceVerdict> {
  const listed = (choices.peek() ?? (await readChoices().catch(() => undefined)))?.holdLocations ?? [];
  const verdict = judgePlace(text, codes, listed);
  if (verdict.kind !== 'unknown') return verdict;
  const kinds = isAsking && online.peek() ? await kindsOf(text) : [];
  if (kinds.some((kind) => NUMBERS.has(kind))) return { kind: 'number' };
  if (kinds.includes('ITEM')) return { kind: 'item' };
  return kinds.includes('PLACE') || listed.length === 0 ? { kind: 'place', place: contentOf(text) } : verdict;
}

/**
 * Returns the meaning of a text in the field for a place, without the network. A device knows the places of its store,
 * and the numbers of its own tickets and their orders; it recognizes other numbers by their form.
 */
function judgePlace(
  text: string,
  { suggested = '', numbers = [], index }: JobCodes,
  listed: readonly string[],
): PlaceVerdict {
  const place = (suggested === '' ? listed : [suggested, ...listed]).find((one) => isOneOf(text, [one]));
  if (place !== undefined) return { kind: 'place', place };
  const forms = formsOf(text);
  const kept = outbox.snapshot.tickets
    .peek()
    .flatMap(({ ticket: { pickTicketId, orders } }) => [
      pickTicketId,
      ...orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId),
    ]);
  if (isOneOf(text, [...numbers, ...kept])) return { kind: 'number' };
  if (index !== undefined) {
    const { items, components, places } = index;
    if (forms.some((form) => items.has(form) || components.has(form))) return { kind: 'item' };
    if (forms.some((form) => places.has(form))) return { kind: 'shelf' };
  }
  const { reads } = readToday(text);
  if (reads.some(({ kind }) => kind === 'GTIN')) return { kind: 'item' };
  const content = contentOf(text);
  const isNumber = NUMBER.test(content) || reads.some(({ kind }) => kind === 'SSCC') || content.length > PLACE_MAX;
  return isNumber ? { kind: 'number' } : { kind: 'unknown' };
}

/** Returns the kinds of a code at the service; empty if the service rejects the request or does not respond in time. */
async function kindsOf(code: string): Promise<string[]> {
  const { clientId, nodeId } = here.peek()!;
  const path = `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}/scan`;
  try {
    const signal = giveUpAfter(ASK_MS);
    const { matches } = await call<{ matches: { kind: string }[] }>('POST', path, { body: { code }, signal });
    return matches.map(({ kind }) => kind);
  } catch {
    return [];
  }
}
