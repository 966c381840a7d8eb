/** The forms in which people and postal codes are compared (decisions 22 and 25): made once at intake, and of each filter. */
import type { Contact } from './shapes.ts';

/** The words of a name without case and accents: runs of letters and digits. */
export function nameWords(name: string): string[] {
  const plain = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words of a name, each after a space: so `' ' + prefix` is found exactly where a word starts with it. */
export function nameKey(name: string): string {
  return nameWords(name)
    .map((word) => ` ${word}`)
    .join('');
}

export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** The digits of a telephone number. */
export function phoneKey(phone: string): string {
  return phone.replace(/[^0-9]/g, '');
}

/** A postal code in capitals, without spaces and hyphens. */
export function postalKey(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '');
}

/** The keys of a contact. */
export function contactKeys(contact: Contact): { name: string; email: string; phone: string } {
  return { name: nameKey(contact.name), email: emailKey(contact.email), phone: phoneKey(contact.phone) };
}
