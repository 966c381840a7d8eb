/**
 * The forms in which people and postal codes are compared (docs/decisions/044): made once at intake, and of each filter. Who
 * changes a form raises KEY_FORM and sees to the orders that have the one before (docs/decisions/152).
 */
import type { Contact } from '../shared/shapes.ts';

/** The form of the keys that are made here, as orders keep it beside them. */
export const KEY_FORM = 1;

/** Letters that are no base letter with a mark, and how they are spelled where nobody has them. */
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

/** Signs inside a word: apostrophes, hyphens and points. Some are letters to Unicode, some fall apart when it decomposes. */
const INNER_SIGNS = /['’‘‛′`´ʼʻʾʿ‐‑‒–—−.·-]+/g;

/** A word with more parts than this is taken as so many words. */
const PARTS_MAX = 8;

/** The words of a name, each as its parts: `O’Brien-Łoś` is `['o', 'brien', 'los']`. Without case and accents. */
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
 * Words of a name, each after a space: so `' ' + prefix` is found exactly where a word starts with it. A word of several
 * parts is there from each of them on: `anna-lena` as `annalena` and `lena`.
 */
export function nameKey(name: string): string {
  return nameWords(name)
    .flatMap((parts) => parts.map((_, from) => ` ${parts.slice(from).join('')}`))
    .join('');
}

export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Fewest digits of a telephone number that may be compared from its end; fewer are a number of their own. */
export const PHONE_DIGITS = 7;

/** An extension at the end: `ext. 12`, `x12`, `#12`, `;ext=12`, `,,12`. */
const EXTENSION = /[\s,;(]*(?:extension|extn?|xtn?|int|poste|durchwahl|dw|[x#,;])[\s.:=]*\d{1,7}[\s)]*$/;

/** A country code and the zeros that stand behind it though they are for calls from inside only: `+44 020`. */
const ZEROS_ABROAD =
  /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[03579]|9[679])\d)0+/;

/** The digits of a telephone number, without its extension and without zeros for calls from inside or to another country. */
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

/** A postal code in capitals, without spaces and hyphens. */
export function postalKey(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '');
}

/** The keys of a contact. */
export function contactKeys(contact: Contact): { name: string; email: string; phone: string } {
  return { name: nameKey(contact.name), email: emailKey(contact.email), phone: phoneKey(contact.phone) };
}
