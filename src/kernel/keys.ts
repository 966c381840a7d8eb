/**
 * Normalizes names, e-mail addresses, telephone numbers and postal codes for comparison
 * (docs/interface.md#contact-filters), at intake and for each filter. To change a form, increase KEY_FORM and migrate
 * the orders with older forms (docs/operating.md#upgrade).
 */
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Contact } from '../shared/shapes.ts';
import type { Contacts } from './orders.ts';

/** The version of the normalized forms. Orders store it with their keys. */
export const KEY_FORM = 1;

/** Letters that do not decompose into a base letter and a mark, with their usual spelling in basic Latin letters. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  þ: 'th',
  ð: 'd',
  đ: 'd',
  ɖ: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'ng',
  ı: 'i',
  ĸ: 'k',
};
const SPELLED_LETTERS = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'g');

/**
 * Apostrophes, hyphens and points inside words. They are listed, because Unicode treats some of them as letters and
 * decomposes others.
 */
const INNER_SIGNS = /['’‘‛′`´ʼʻʾʿ‐‑‒–—−.·-]+/g;

/** A word with more parts than this counts as separate words. */
const PARTS_MAX = 8;

/**
 * Returns the words of a name, each as its parts, without case and accents: `O’Brien-Łoś` is
 * `['o', 'brien', 'los']`.
 */
export function nameWords(name: string): string[][] {
  const plain = name
    .toLowerCase()
    .replace(INNER_SIGNS, '-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(SPELLED_LETTERS, (letter) => SPELLED[letter]!);
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  return words
    .map((word) => word.split('-').filter((part) => part !== ''))
    .flatMap((parts) => (parts.length > PARTS_MAX ? parts.map((part) => [part]) : [parts]));
}

/**
 * Returns the words of a name, each after a space, so that `' ' + prefix` matches only starts of words. A word with
 * parts yields one text for each part, from that part to the end of the word: `anna-lena` yields `annalena` and `lena`.
 */
export function nameKey(name: string): string {
  return nameWords(name)
    .flatMap((parts) => parts.map((_, from) => ` ${parts.slice(from).join('')}`))
    .join('');
}

export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Minimum number of digits for comparing the ends of telephone numbers. Shorter numbers are compared as a whole. */
export const PHONE_DIGITS = 7;

/** An extension at the end: `ext. 12`, `x12`, `#12`, `;ext=12`, `,,12`. */
const EXTENSION = /[\s,;(]*(?:extension|extn?|xtn?|int|poste|durchwahl|dw|[x#,;])[\s.:=]*\d{1,7}[\s)]*$/;

/** A country code followed by zeros that belong only to calls within the country: `+44 020`. */
const ZEROS_ABROAD =
  /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[03579]|9[679])\d)0+/;

/**
 * Returns the digits of a telephone number, without its extension and without prefix zeros for national or
 * international calls.
 */
export function phoneKey(phone: string): string {
  const plain = phone.normalize('NFKC').toLowerCase();
  const number = plain.replace(EXTENSION, '').replace(/\(\s*0+\s*\)/g, '');
  const digits = digitsOf(number) || digitsOf(plain);
  const isAbroad = number.includes('+') || digits.startsWith('00');
  const behindZeros = digits.replace(/^0+/, '');
  const whole = isAbroad ? behindZeros.replace(ZEROS_ABROAD, '$1') : behindZeros;
  return whole.length < PHONE_DIGITS ? digits : whole;
}

function digitsOf(text: string): string {
  return text.replace(/[^0-9]/g, '');
}

/** Returns a postal code in capitals, without spaces and hyphens. */
export function postalKey(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '');
}

/** The columns by which orders are found by their people and their address. */
export type KeyColumns = Pick<
  FulfillmentOrderRow,
  | 'customer_name_key'
  | 'customer_email_key'
  | 'customer_phone_key'
  | 'proxy_name_key'
  | 'proxy_email_key'
  | 'proxy_phone_key'
  | 'postal_code_key'
  | 'key_form'
>;

export function keyColumns({ customer, proxyDetails, destinations, shippingAddress }: Contacts): KeyColumns {
  const own = contactKeys(customer);
  const proxy = proxyDetails && contactKeys(proxyDetails);
  const to = destinations.find(({ destinationId }) => destinationId === shippingAddress.destinationId);
  return {
    customer_name_key: own.name,
    customer_email_key: own.email,
    customer_phone_key: own.phone,
    proxy_name_key: proxy?.name ?? null,
    proxy_email_key: proxy?.email ?? null,
    proxy_phone_key: proxy?.phone ?? null,
    postal_code_key: postalKey(to?.address?.postalCode ?? ''),
    key_form: KEY_FORM,
  };
}

function contactKeys({ name, email, phone }: Contact) {
  return { name: nameKey(name), email: emailKey(email), phone: phoneKey(phone) };
}
