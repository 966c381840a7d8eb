/**
 * The place for the good units of a shipment: the default of the node, or a place that a user has chosen for the next
 * units.
 */
import { signal } from '@preact/signals';
import { choices } from '../../choices.ts';
import { type InboundSubject, keyOf } from '../../offline/commands.ts';
import type { CountLine, WholeScan } from '../../offline/inbound.ts';
import { t } from '../../texts/index.ts';

export type GoodTo = Required<Pick<CountLine, 'to' | 'location'>>;

/** The chosen places by shipment. They are not stored, because the goods of the next day may need another place. */
export const chosen = signal<Readonly<Record<string, GoodTo>>>({});

/** Returns the default place of the node. */
export function usual(): GoodTo {
  return { to: choices.value?.receiveTo ?? 'SHELF', location: '' };
}

/** Returns the words for the place of the good units of a shipment. */
export function goodToWord(subject: InboundSubject): string {
  const { receive, stock } = t();
  const { to, location } = chosen.value[keyOf(subject)] ?? usual();
  return receive.goodTo([stock.places[to] ?? to, location].filter((part) => part !== '').join(' · '));
}

/**
 * Adds the chosen place to a receipt with good units. If no place was chosen, it adds nothing, and the default of the
 * node applies.
 */
export function withPlace<T extends CountLine | WholeScan>(subject: InboundSubject, one: T): T {
  const place = chosen.peek()[keyOf(subject)];
  const isGood = 'as' in one ? one.as === 'GOOD' : (one.good ?? 0) > 0;
  if (place === undefined || !isGood) return one;
  return { ...one, to: place.to, ...(place.location !== '' && { location: place.location }) };
}
