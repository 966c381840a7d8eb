/**
 * PINs in files of ours: what a reject file repeats of its input is sealed with the installation's key where it may be a PIN,
 * and opened again when the file is imported (docs/decisions/175).
 */
import type { Sealer } from '../../platform/secrets.ts';
import type { ImportKind } from './mapping.ts';
import type { Mapping } from './mapping-api.ts';
import type { Reason } from './rows.ts';

const MARK = 'sealed:';

/** Stands in a reject file where a row that cannot be read, and may hold a PIN, is not repeated. */
export const NOT_SHOWN = '(not shown, because it may hold a PIN; see the row of the input)';

/** Columns, or fields, of a file that hold PINs. */
export function secretsOf(kind: ImportKind, mapping: Mapping<unknown> | undefined): ReadonlySet<string> {
  // Users have none in a file; where somebody wrote one all the same, it is not repeated in clear.
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

  /** What is written of the value of a column. */
  seal(name: string, value: unknown): unknown {
    if (!this.names.has(name) || value === '' || value === null || value === undefined) return value;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.startsWith(MARK) ? text : `${MARK}${this.#sealer.seal(text, this.#randomBytes(12))}`;
  }

  /** The row with its sealed values opened; a reason where one was sealed with another key. */
  open(row: unknown): { value: unknown } | { error: Reason } {
    if (this.names.size === 0 || typeof row !== 'object' || row === null) return { value: row };
    let value = row as Record<string, unknown>;
    for (const name of this.names) {
      const sealed = value[name];
      if (typeof sealed !== 'string' || !sealed.startsWith(MARK)) continue;
      try {
        value = { ...value, [name]: this.#sealer.open(sealed.slice(MARK.length)) };
      } catch {
        const message = `'${name}' was sealed with the key of another installation; put the PIN itself there.`;
        return { error: { code: 'SEALED', message } };
      }
    }
    return { value };
  }
}
