/**
 * Secrets in reject files: the key of the installation encrypts values that may be PINs, passwords or badges, and an
 * import of the file decrypts them (docs/importing.md#rejected-rows).
 */
import type { Sealer } from '../../platform/secrets.ts';
import type { ImportKind } from './mapping.ts';
import type { Mapping } from './mapping-api.ts';
import type { Reason } from './rows.ts';

const MARK = 'sealed:';

/** Written to a reject file instead of an unreadable row that may contain a PIN. */
export const NOT_SHOWN = '(not shown, because it may contain a PIN; see the row of the input)';

/**
 * Returns the columns or fields of a file whose values are encrypted in a reject file. By default these are the PINs of
 * orders, and the passwords, PINs and badges of users. A mapping can name others.
 */
export function secretsOf(kind: ImportKind, mapping: Mapping<unknown> | undefined): ReadonlySet<string> {
  if (kind === 'users') return new Set(mapping?.secrets ?? ['password', 'pin', 'badge']);
  return new Set(kind === 'orders' ? (mapping?.secrets ?? ['pinNumber']) : []);
}

export class Seals {
  readonly names: ReadonlySet<string>;
  readonly #sealer: Sealer;
  readonly #randomBytes: (size: number) => Buffer;

  constructor(names: ReadonlySet<string>, sealer: Sealer, randomBytes: (size: number) => Buffer) {
    this.names = names;
    this.#sealer = sealer;
    this.#randomBytes = randomBytes;
  }

  /** Returns the value of a column for the reject file, encrypted if it is a secret. */
  seal(name: string, value: unknown): unknown {
    if (!this.names.has(name) || value === '' || value === null || value === undefined) return value;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.startsWith(MARK) ? text : `${MARK}${this.#sealer.seal(text, this.#randomBytes(12))}`;
  }

  /** Returns the row with its encrypted values decrypted, or a reason if another key encrypted a value. */
  open(row: unknown): { value: unknown } | { error: Reason } {
    if (this.names.size === 0 || typeof row !== 'object' || row === null) return { value: row };
    let value = row as Record<string, unknown>;
    for (const name of this.names) {
      const sealed = value[name];
      if (typeof sealed !== 'string' || !sealed.startsWith(MARK)) continue;
      try {
        value = { ...value, [name]: this.#sealer.open(sealed.slice(MARK.length)) };
      } catch {
        const message = `'${name}' was sealed with the key of another installation; replace it with the PIN itself.`;
        return { error: { code: 'SEALED', message } };
      }
    }
    return { value };
  }
}
