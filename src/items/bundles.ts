/**
 * Checks bundles against the stored items. A bundle refers to its contents by itemId, so it may contain itself through
 * another bundle. `rules.ts` checks only the message.
 */

import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { statement } from '../platform/storage/statement.ts';
import type { CheckedItem } from './check.ts';
import { findItems, type ItemSource } from './find.ts';
import { BUNDLE_DEPTH_MAX, tooDeep } from './rules.ts';
import type { Item } from './schema.ts';
import { say } from './sentences.ts';

/**
 * Maximum number of parts of a bundle, including the parts of nested bundles. Every write of a bundle visits all its
 * parts.
 */
const BUNDLE_PARTS_MAX = 10_000;
/** Maximum number of items per statement. The number is small, because the texts of items can be long. */
const LOADED_TOGETHER = 50;

type Bundle = Pick<CheckedItem, 'itemId' | 'contents'>;

/**
 * The contents of bundles, loaded level by level on demand. Bundles that the current transaction writes replace the
 * stored bundles.
 */
export class BundleGraph {
  readonly #source: ItemSource;
  readonly #clientId: string;
  readonly #contents = new Map<string, readonly string[]>();
  #isLocked = false;

  constructor(source: ItemSource, clientId: string) {
    this.#source = source;
    this.#clientId = clientId;
  }

  /** Replaces the contents of an item. */
  put({ itemId, contents }: Bundle): void {
    this.#contents.set(itemId, contents);
  }

  /** Returns the errors of a bundle that contains itself, is nested too deep, or has too many parts. */
  async errorsOf(item: Bundle): Promise<FieldError[]> {
    await this.#lock();
    const errors: FieldError[] = [];
    const budget = { left: BUNDLE_PARTS_MAX };
    await this.#load(item.contents);
    for (const [index, itemId] of item.contents.entries()) {
      const pointer = `/bundleItems/${index}/itemId`;
      const found = await this.#search(itemId, item.itemId, budget);
      if (found === 'wide') return [...errors, tooWide()];
      if (found === 'deep') errors.push(tooDeep(pointer));
      if (found === 'cycle') {
        const words = say(
          '{part} contains {bundle}, so the bundle would contain itself; remove one item from the contents of the other',
          {
            part: JSON.stringify(itemId),
            bundle: JSON.stringify(item.itemId),
          },
        );
        errors.push(fieldError(pointer, 'bundle', words));
      }
    }
    return errors;
  }

  /**
   * Locks the bundles of the client until the transaction ends. Otherwise two bundles that are written at the same time
   * could contain each other.
   */
  async #lock(): Promise<void> {
    if (this.#isLocked) return;
    await lockClient(this.#source.db, { clientId: this.#clientId });
    this.#isLocked = true;
  }

  /**
   * Searches the contents of `from`, level by level, for `sought`, for bundles that are nested too deep, and for too
   * many parts. `from` is at depth 1.
   */
  async #search(
    from: string,
    sought: string,
    budget: { left: number },
  ): Promise<'cycle' | 'deep' | 'wide' | undefined> {
    let level: readonly string[] = [from];
    for (let depth = 1; level.length > 0; depth += 1) {
      await this.#load(level);
      for (const id of level) budget.left -= 1 + (this.#contents.get(id)?.length ?? 0);
      if (budget.left < 0) return 'wide';
      level = [...new Set(level.flatMap((id) => this.#contents.get(id) ?? []))];
      if (level.includes(sought)) return 'cycle';
      if (level.length > 0 && depth >= BUNDLE_DEPTH_MAX) return 'deep';
    }
    return undefined;
  }

  async #load(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#contents.has(id));
    for (let first = 0; first < unknown.length; first += LOADED_TOGETHER) {
      const some = unknown.slice(first, first + LOADED_TOGETHER);
      const items = await findItems(this.#source, this.#clientId, some);
      for (const id of some) this.#contents.set(id, contentsOf(items.get(id)));
    }
  }
}

const lockClient = statement((db, { clientId }: { clientId: string }, dialect) =>
  db.selectFrom('clients').select('client_id').where('client_id', '=', clientId).modifyEnd(dialect.forNoKeyUpdate),
);

function tooWide(): FieldError {
  const words = say('the bundle has more than {max} parts, including the parts of nested bundles; remove some parts', {
    max: BUNDLE_PARTS_MAX,
  });
  return fieldError('/bundleItems', 'bundle', words, BUNDLE_PARTS_MAX);
}

function contentsOf(item: Item | undefined): readonly string[] {
  return item?.bundleItems?.map((one) => one.itemId) ?? [];
}
