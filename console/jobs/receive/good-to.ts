/** The place of the good units of a shipment: that of the node, or one that a person has chosen for what comes next. */
import { signal } from '@preact/signals';
import { choices } from '../../choices.ts';
import { type InboundSubject, keyOf } from '../../offline/commands.ts';
import type { CountLine, WholeScan } from '../../offline/inbound.ts';

export type GoodTo = Required<Pick<CountLine, 'to' | 'location'>>;

/** What was chosen, by shipment. It is forgotten with the page: tomorrow's goods lie elsewhere. */
export const chosen = signal<Readonly<Record<string, GoodTo>>>({});

/** Where the node puts them. */
export function usual(): GoodTo {
  return { to: choices.value?.receiveTo ?? 'SHELF', location: '' };
}

/** Adds to what is received where its good units go; nothing where they go as the node has it. */
export function withPlace<T extends CountLine | WholeScan>(subject: InboundSubject, one: T): T {
  const place = chosen.peek()[keyOf(subject)];
  const isGood = 'as' in one ? one.as === 'GOOD' : (one.good ?? 0) > 0;
  if (place === undefined || !isGood) return one;
  return { ...one, to: place.to, ...(place.location !== '' && { location: place.location }) };
}
