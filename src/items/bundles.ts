/**
 * Bundles through the items that are stored: a bundle names its contents by itemId, so it may contain itself by way of
 * another one. `rules.ts` sees only what a message carries.
 */
import { type Fault, faultsOf } from '../http/validate.ts';
import type { CheckedItem } from './check.ts';
import { BUNDLE_DEPTH_MAX, tooDeep } from './rules.ts';
import type { Item } from './schema.ts';
import { findItems, type ItemSource } from './store.ts';

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

  /** The faults of an item's contents: it contains itself through stored bundles, or they are nested too deep. */
  async faultsOf(item: Bundle): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const [index, itemId] of item.contents.entries()) {
      const pointer = `/bundleItems/${index}/itemId`;
      const found = await this.#search(itemId, item.itemId);
      if (found === 'deep') faults.push(tooDeep(pointer));
      if (found === 'cycle') {
        const words = `${JSON.stringify(itemId)} contains ${JSON.stringify(item.itemId)}, so a bundle would contain itself; remove it from one of them`;
        faults.push(faultsOf(pointer, 'bundle', words));
      }
    }
    return faults;
  }

  /** Goes down from `from`, which stands at depth 1. */
  async #search(from: string, sought: string): Promise<'cycle' | 'deep' | undefined> {
    let level: readonly string[] = [from];
    for (let depth = 1; level.length > 0; depth += 1) {
      await this.#load(level);
      level = [...new Set(level.flatMap((id) => this.#contents.get(id) ?? []))];
      if (level.includes(sought)) return 'cycle';
      if (level.length > 0 && depth >= BUNDLE_DEPTH_MAX) return 'deep';
    }
    return undefined;
  }

  async #load(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#contents.has(id));
    const items = await findItems(this.#source, this.#clientId, unknown);
    for (const id of unknown) this.#contents.set(id, contentsOf(items.get(id)));
  }
}

function contentsOf(item: Item | undefined): readonly string[] {
  return item?.bundleItems?.map((one) => one.itemId) ?? [];
}
