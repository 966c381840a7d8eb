/** Which tables this process has changed, so that what was read of others may be kept. */
import { lru } from '../lru.ts';
import type { Watched } from './store.ts';

const CHANGES =
  /\b(?:insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from|(?:create|alter|drop)\s+\w+)\s+"?(\w+)"?/gi;

/** Texts are few, because statements are written once and bound often. */
const TEXTS_MAX = 2_000;

const known = lru<string, readonly string[]>(TEXTS_MAX);

const READS = /^\s*(?:select|with|pragma|explain)\b/i;

/** Stands for every table. */
const ANY = '*';

/** The tables that a statement names as those it changes; none for one that only reads, `*` where they cannot be told. */
export function changedBy(text: string): readonly string[] {
  let tables = known.get(text);
  if (tables === undefined) {
    tables = [...text.matchAll(CHANGES)].map((match) => match[1]!.toLowerCase());
    if (tables.length === 0 && !READS.test(text)) tables = [ANY];
    known.set(text, tables);
  }
  return tables;
}

/** Some tables, and a number that changes when one of them may have been changed. */
interface Group extends Watched {
  tables: ReadonlySet<string>;
  version: number;
}

/** Versions of the whole database and of groups of its tables. */
export class TableVersions {
  readonly #groups: Group[] = [];
  readonly #foreign: () => unknown;
  readonly #touched = new Set<string>();
  #seen: unknown;
  #version = 0;

  /** `foreign` answers another value when anybody else has committed anything. */
  constructor(foreign: () => unknown) {
    this.#foreign = foreign;
    this.#seen = foreign();
  }

  /** That of the whole database; what others have committed is looked for here. */
  version(): number {
    const foreign = this.#foreign();
    if (foreign !== this.#seen) {
      this.#seen = foreign;
      this.#version += 1;
      for (const group of this.#groups) group.version += 1;
    }
    return this.#version;
  }

  watch(tables: readonly string[]): Watched {
    const group: Group = { tables: new Set(tables), version: 0 };
    this.#groups.push(group);
    return group;
  }

  /** A statement of the transaction that is open. */
  note(text: string): void {
    for (const table of changedBy(text)) this.#touched.add(table);
  }

  /** That transaction is over. Not earlier: what is read before the commit must not be taken for what is there after it. */
  ended(): void {
    if (this.#touched.size === 0) return;
    this.#version += 1;
    const all = this.#touched.has(ANY);
    for (const group of this.#groups) if (all || !this.#touched.isDisjointFrom(group.tables)) group.version += 1;
    this.#touched.clear();
  }
}
