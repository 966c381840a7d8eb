/**
 * Bundles through the items that are stored: a bundle names its contents by itemId, so it may contain itself by way of
 * another one. `rules.ts` sees only what a message carries.
 */
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import type { CheckedItem } from './check.ts';
import { findItems, type ItemSource } from './find.ts';
import { BUNDLE_DEPTH_MAX, tooDeep } from './rules.ts';
import type { Item } from './schema.ts';

/** Most parts of a bundle, those of the bundles in it included: what is in a bundle is followed at every write of it. */
const BUNDLE_PARTS_MAX = 10_000;
/** Items read with one statement: their texts may be long. */
const LOADED_TOGETHER = 50;

type Bundle = Pick<CheckedItem, 'itemId' | 'contents'>;

/** What contains what, read level by level as it is asked for, with what the current transaction writes laid over it. */
export class BundleGraph {
  readonly #source: ItemSource;
  readonly #clientId: string;
  readonly #contents = new Map<string, readonly string[]>();

  constructor(source: ItemSource, clientId: string) {
    this.#source = source;
    this.#clientId = clientId;
  }

  /** Notes what an item contains from now on. */
  put({ itemId, contents }: Bundle): void {
    this.#contents.set(itemId, contents);
  }

  /** The errors of an item's contents: it contains itself through stored bundles, or they are nested too deep. */
  async errorsOf(item: Bundle): Promise<FieldError[]> {
    const errors: FieldError[] = [];
    const budget = { left: BUNDLE_PARTS_MAX };
    await this.#load(item.contents);
    for (const [index, itemId] of item.contents.entries()) {
      const pointer = `/bundleItems/${index}/itemId`;
      const found = await this.#search(itemId, item.itemId, budget);
      if (found === 'wide') return [...errors, tooWide()];
      if (found === 'deep') errors.push(tooDeep(pointer));
      if (found === 'cycle') {
        const words = `${JSON.stringify(itemId)} contains ${JSON.stringify(item.itemId)}, so a bundle would contain itself; remove it from one of them`;
        errors.push(fieldError(pointer, 'bundle', words));
      }
    }
    return errors;
  }

  /** Goes down from `from`, which stands at depth 1. */
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

function tooWide(): FieldError {
  const words = `the bundle has more than ${BUNDLE_PARTS_MAX} parts, those of the bundles in it included; put fewer into it`;
  return fieldError('/bundleItems', 'bundle', words, BUNDLE_PARTS_MAX);
}

function contentsOf(item: Item | undefined): readonly string[] {
  return item?.bundleItems?.map((one) => one.itemId) ?? [];
}
