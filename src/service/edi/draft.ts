/** A set as the message that the interface would get: the ASN of an 856, the PO of an 850 or 860. */
import type { ItemSource } from '../../items/find.ts';
import type { Profile } from './partner-schema.ts';
import type { Meaning, Place, Places, Value } from './places.ts';

/** What a set asks for. */
export type Intent = 'ANNOUNCE' | 'REPLACE' | 'VOID';

/** One ASN or PO of a set. */
export interface Draft {
  type: 'ASN' | 'PO';
  sellerId: string;
  number: string;
  numberPlace: Place;
  intent: Intent;
  /** Whether a replacement needs the shipment that it replaces. */
  needsOld: boolean;
  /** The message, in the form of the interface; a VOID has none. */
  message?: { value: unknown; places: Places };
}

/** What mappings need of their surroundings. */
export interface Mapping {
  /** Without it, items, stores and orders are not looked up. */
  source: ItemSource | undefined;
  clientId: string;
  partnerId: string;
  profile: Profile;
  meaning: Meaning;
}

/** Most lines of one set (docs/interface.md#limits-of-a-message). */
export const LINES_MAX = 20_000;
const NUMBER_MAX = 15;

/** Adds NUMBER_LENGTH and returns false if the number is too long for an ASN or PO. */
export function fits(meaning: Meaning, number: Value, what: string): boolean {
  const length = Array.from(number.value).length;
  if (length <= NUMBER_MAX) return true;
  meaning.add(
    'NUMBER_LENGTH',
    number,
    `The number of the ${what} has ${length} characters, but at most ${NUMBER_MAX} are allowed`,
  );
  return false;
}

/** The intent of a purpose; adds PURPOSE and returns undefined if it is not taken. */
export function intentOf(
  { meaning, profile }: Pick<Mapping, 'meaning' | 'profile'>,
  purpose: Value,
  intents: Readonly<Record<string, Intent>>,
  hint = `taken are ${Object.keys(intents).join(', ')}`,
): Intent | undefined {
  const intent = Object.hasOwn(intents, purpose.value) ? intents[purpose.value] : undefined;
  if (intent === undefined) meaning.add('PURPOSE', purpose, `The purpose ${purpose.value} is not accepted; ${hint}`);
  else if (intent !== 'ANNOUNCE' && !profile.mayReplace) {
    meaning.add('PURPOSE', purpose, `The purpose ${purpose.value} is not agreed: nothing is replaced or voided`);
    return undefined;
  }
  return intent;
}
