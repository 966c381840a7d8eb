/** An order's status in responses, events and messages: the code, and the client's name for the code. */

import type { Sentence } from '../platform/message/sentence.ts';
import { text } from '../platform/schema.ts';
import type { Settings } from './client-settings.ts';
import { say } from './sentences.ts';

/** Schemas of the fields `status` and `statusName`. */
export const statusFields = {
  status: text(4, 4, { description: 'Status code of the order' }),
  statusName: text(1, 60, { description: 'Name of the status, from the client’s setting statusDescriptions' }),
};
export interface StatusFields {
  status: string;
  statusName: string;
}

type Names = Pick<Settings, 'statusDescriptions'>;

/** The client's name of a status. */
export function statusName({ statusDescriptions }: Names, status: number): string {
  return statusDescriptions[status] ?? String(status);
}

/** The fields of an order with the status `status`. */
export function statusOf(settings: Names, status: number): StatusFields {
  return { status: String(status), statusName: statusName(settings, status) };
}

/**
 * Default names of the statuses, in all languages. A client that sets other names (settings.statusDescriptions) sets
 * them in one language.
 */
const WORDS: Readonly<Record<number, Sentence>> = {
  1000: say('Held until street date'),
  1100: say('Waiting for pick'),
  1150: say('Picking'),
  1200: say('Waiting for pack'),
  1300: say('Waiting for check-in'),
  1400: say('Ready for customer pickup'),
  1500: say('Waiting for delivery'),
  3700: say('Shipped'),
  3800: say('Picked up'),
  3900: say('Delivered'),
  8000: say('Canceled, goods to return'),
  9000: say('Canceled'),
  9100: say('Returned for re-sourcing'),
  9200: say('Re-sourced'),
};

/** The status in a sentence. */
export function statusInWords(settings: Names, status: number): Sentence {
  const own = statusName(settings, status);
  const words = WORDS[status];
  return say('{status} {name}', { status, name: String(words) === own ? words : own });
}
