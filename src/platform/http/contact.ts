/**
 * Hides customers' e-mail addresses and telephone numbers from users who do not need them
 * (docs/people.md#contact-data). run.ts decides for which responses.
 */
import { isRecord } from '../message/record.ts';

const CONTACT: ReadonlySet<string> = new Set(['email', 'phone']);

/** The body with empty e-mail addresses and telephone numbers; names and postal addresses remain. */
export function withoutContact(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutContact);
  if (!isRecord(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      CONTACT.has(name) && typeof value === 'string' ? '' : withoutContact(value),
    ]),
  );
}
