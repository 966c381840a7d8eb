/** Checks whether a scanned place is one for goods. The service is asked about codes that are not on the device. */
import { call } from '../../api.ts';
import { choices } from '../../choices.ts';
import { outbox } from '../../offline/index.ts';
import type { TicketView } from '../../offline/view.ts';
import { online } from '../../preferences.ts';
import { place as here } from '../../session.ts';
import { type CodeIndex, judgePlace, type PlaceVerdict } from './ticket-work.ts';

/** Maximum time that a scan waits for the service. After that the user is asked. */
const ASK_MS = 2_000;
const NUMBERS = new Set(['ORDER', 'TICKET', 'PACKAGE', 'CARTON', 'SHIPMENT']);

/**
 * Decides whether a text is a place for the goods. Listed places are accepted, items and numbers are rejected. With the network, the
 * service is asked about other texts. If the store lists no places, any other text is accepted as a place.
 */
export async function placeVerdict(
  text: string,
  { view, index, isAsking }: { view: TicketView; index: CodeIndex; isAsking: boolean },
): Promise<PlaceVerdict> {
  const listed = choices.peek()?.holdLocations ?? [];
  const suggested = view.ticket.holdLocation;
  const tickets = [view, ...outbox.snapshot.tickets.peek()].map(({ ticket }) => ticket);
  const verdict = judgePlace(text, {
    places: suggested === '' ? listed : [suggested, ...listed],
    numbers: tickets.flatMap(({ pickTicketId, orders }) => [
      pickTicketId,
      ...orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId),
    ]),
    index,
  });
  if (verdict.kind !== 'unknown') return verdict;
  const kinds = isAsking && online.peek() ? await kindsOf(text) : [];
  if (kinds.some((kind) => NUMBERS.has(kind))) return { kind: 'number' };
  if (kinds.includes('ITEM')) return { kind: 'item' };
  return kinds.includes('PLACE') || listed.length === 0 ? { kind: 'place', place: text.trim() } : verdict;
}

/** Returns the kinds of a code at the service; empty if the service rejects the request or does not respond in time. */
async function kindsOf(code: string): Promise<string[]> {
  const { clientId, nodeId } = here.peek()!;
  const path = `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}/scan`;
  try {
    const signal = AbortSignal.timeout(ASK_MS);
    const { matches } = await call<{ matches: { kind: string }[] }>('POST', path, { body: { code }, signal });
    return matches.map(({ kind }) => kind);
  } catch {
    return [];
  }
}
