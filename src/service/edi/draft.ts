/** Types and checks of a set in the form of the interface's messages: an 856 as an ASN, an 850 or 860 as a PO. */
import type { ItemSource } from '../../items/find.ts';
import type { Profile } from './partner-schema.ts';
import type { Meaning, Place, Places, Value } from './places.ts';

/** The action that a set requests. */
export type Intent = 'ANNOUNCE' | 'REPLACE' | 'VOID';

/** One ASN or PO of a set. */
export interface Draft {
  type: 'ASN' | 'PO';
  sellerId: string;
  number: string;
  numberPlace: Place;
  intent: Intent;
  /** Whether a replacement is rejected if the old shipment does not exist. */
  needsOld: boolean;
  /** The number of the order of a PO. With SDQ, an order has a PO for each store. */
  order?: string;
  /**
   * The sellers of the profile and of its locations. A replacement can name a location of another seller than the old
   * ASN.
   */
  sellers?: readonly string[];
  /** The message in the form of the interface; absent for a VOID. */
  message?: { value: unknown; places: Places };
}

/** The parameters of a mapping. */
export interface Mapping {
  /** Database access for the look-up of items, stores and orders. If undefined, the set is mapped without look-ups. */
  source: ItemSource | undefined;
  clientId: string;
  partnerId: string;
  profile: Profile;
  meaning: Meaning;
}

const NUMBER_MAX = 15;

/** Returns the number of the PO of a store, for an order with SDQ. */
export function orderOfStore(order: string, storeCode: string): string {
  return `${order}-${storeCode}`;
}

/** Returns whether the number is short enough for an ASN or PO; if not, adds NUMBER_LENGTH. */
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

/**
 * Returns the intent of a purpose code. For a code that is not accepted or not agreed, adds PURPOSE and returns
 * undefined.
 */
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
