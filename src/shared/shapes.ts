/**
 * Schemas that the fulfillment messages share (docs/interface.md#shared-objects). The interface has no lengths, so the
 * limits are those of this service.
 */

import { UNIT_MAX } from '../platform/measures.ts';
import {
  dateTime,
  exact,
  identifier,
  integer,
  list,
  type Options,
  object,
  oneOf,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { INSTRUCTIONS_MAX, QUANTITY_MAX } from './limits.ts';
import { say } from './sentences.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Instructions: Instructions;
    Measure: Measure;
  }
}

export const ID_MAX = 40;

/** Identifier of an order, store, node, ticket or queue: 1 to 40 characters. */
export const id = (description: string, options: Options = {}) => identifier(ID_MAX, { description, ...options });

/** Login of a user or associate, stored as sent (docs/interface.md#identifiers). */
export const login = (description: string) => identifier(64, { description });

/** Units of one line. */
export const units = (description: string, min = 0) => integer(min, QUANTITY_MAX, { description });

/** The acting user. The interface spells this field in two ways; `readMessage` of associate.ts accepts both. */
export const associate = (description: string) => ({
  modifyAssociateId: login(description),
  modifyAssociatedId: Type.Optional(
    login('Other spelling of modifyAssociateId. If you send both fields, the values must be equal'),
  ),
});

/** An optional field that must equal a known value. */
export const ifGiven = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, description: `If you send this field, it must equal ${what}` }));

/** `from` and `to`, both required and both included (docs/interface.md#ranges). */
export const DateRange = object({
  from: dateTime({ description: 'Begin of the range, with UTC offset. Included in the range' }),
  to: dateTime({ description: 'End of the range, with UTC offset. Included in the range' }),
});
export type DateRange = Static<typeof DateRange>;

const contactMember = (description: string, min: number) => text(min, 255, { description, 'x-secret': true });

/** A contact in a request; e-mail address and telephone number are optional. */
export const SentContact = object({
  name: contactMember('Name', 1),
  email: Type.Optional(contactMember('E-mail address; default empty', 0)),
  phone: Type.Optional(contactMember('Telephone number; default empty', 0)),
});
export type SentContact = Static<typeof SentContact>;

/** A contact in a response; it always has all three fields. */
export const Contact = object({
  name: contactMember('Name', 1),
  email: contactMember('E-mail address; empty where there is none', 0),
  phone: contactMember('Telephone number; empty where there is none', 0),
});
export type Contact = Static<typeof Contact>;

/** A contact as a filter. An empty string matches all contacts (docs/interface.md#contact-filters). */
export const ContactFilter = object({
  name: contactMember(
    'Words of the name, or their beginnings: each word that you send must be the beginning of a word of the name. Case, accents and apostrophes do not matter',
    0,
  ),
  email: contactMember('The whole e-mail address; case does not matter', 0),
  phone: contactMember('Telephone number: its last 7 or more digits must be equal; an extension is ignored', 0),
});
export type ContactFilter = Static<typeof ContactFilter>;

/** The text that a user types to find an order. Both order searches of the console take this parameter. */
export const OrderText = Type.Optional(
  text(1, 100, {
    description:
      'Text to search for. An order matches if one of these is true: fulfillmentOrderId, webOrderId or omsOrderId contains the text; for each word of the text, the name of the customer or proxy has a word that begins with it; the text is the e-mail address of the customer or proxy; the name of the destination town begins with the text',
  }),
);

export const part = (description: string) => Type.Optional(text(0, 120, { description, 'x-secret': true }));

const PersonName = object({
  firstName: part('First name'),
  middleName: part('Middle name'),
  lastName: part('Last name'),
});

const Address = object({
  line1: part('First line'),
  line2: part('Second line'),
  line3: part('Third line'),
  line4: part('Fourth line'),
  city: part('City'),
  mainDivisionCode: part('State or province'),
  postalCode: part('Postal code'),
  countryCode: Type.Optional(
    text(2, 2, {
      description: 'Country, two capital letters as in ISO 3166 alpha-2',
      pattern: '^[A-Z]{2}$',
      'x-hint': say('use two capital letters'),
    }),
  ),
});

/** A part of a name or an address that responses always have. */
export const shownPart = (description: string) => text(0, 120, { description, 'x-secret': true });

/** An address in responses, with the parts that intake requires. */
export const WholeAddress = object({
  line1: shownPart('First line'),
  line2: part('Second line'),
  line3: part('Third line'),
  line4: part('Fourth line'),
  city: shownPart('City'),
  mainDivisionCode: shownPart('State or province'),
  postalCode: shownPart('Postal code'),
  countryCode: text(2, 2, { description: 'Country, two capital letters as in ISO 3166 alpha-2' }),
});

export const DESTINATION_TYPES = ['MAILING_ADDRESS', 'SHIPPING_ADDRESS', 'NODE_ADDRESS'] as const;

export const Destination = object({
  destinationId: identifier(ID_MAX, {
    description: 'Id of the destination; billToAddress, shippingAddress and shipFromAddress refer to it',
  }),
  destinationType: Type.Optional(oneOf(DESTINATION_TYPES)),
  personName: Type.Optional(PersonName),
  address: Type.Optional(Address),
  phone: Type.Optional(text(0, 40, { 'x-secret': true })),
  email: Type.Optional(text(0, 255, { 'x-secret': true })),
});
export type Destination = Static<typeof Destination>;

/** Refers to a Destination of the same message. */
export const DestinationReference = object({ destinationId: identifier(ID_MAX) });
export type DestinationReference = Static<typeof DestinationReference>;

/** The customer's instructions for a line, for example a gift message. */
export const Instructions = list(
  object({
    type: text(1, 40, { description: 'Type of the instruction, for example GIFT_MESSAGE' }),
    text: text(0, 1000, { description: 'The text', 'x-secret': true }),
  }),
  { max: INSTRUCTIONS_MAX },
);
export type Instructions = Static<typeof Instructions>;

/** A weight or volume: the unit as sent, and a value with at most 14 digits before and 4 after the point. */
export const Measure = object({
  unit: text(1, UNIT_MAX, {
    description: 'Unit by any of its common names, in upper or lower case. The service returns the name as sent',
  }),
  value: exact({ integer: 14, fraction: 4, min: 0 }, { description: 'Amount, in the unit' }),
});
export type Measure = Static<typeof Measure>;

/**
 * A sum of measures. It has enough digits for the product of three dimensions of 14 digits each and the units of an
 * order, after a conversion.
 */
const Total = object({
  unit: text(1, UNIT_MAX, { description: 'Unit of the first package or item, spelled as sent' }),
  value: exact({ integer: 80, fraction: 4, min: 0 }, { description: 'Sum over all packages or items, in this unit' }),
});

/** Sums over the packages of an order. */
export const measureTotals = {
  totalVolume: Total,
  totalWeight: Total,
  unknownUnits: Type.Optional(
    list(
      text(1, UNIT_MAX, { description: 'Unit, spelled as sent' }),
      { min: 1, max: 5_000 },
      {
        description:
          'Units of measure that the service cannot convert. The total is then 0, never a partial sum. Such units are units of length for a mass of an item, and unchecked units of orders and items of older releases',
      },
    ),
  ),
};

/** A currency, by its ISO 4217 code. */
export const Currency = text(3, 3, {
  description: 'ISO 4217 code',
  pattern: '^[A-Z]{3}$',
  'x-hint': say('use three capital letters'),
});
