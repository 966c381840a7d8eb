/** Versions of groups of tables, so that a cache remains valid while only other tables change. */
import { lru } from '../lru.ts';
import type { Watched } from './store.ts';

const CHANGES =
  /\b(?:insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from|(?:create|alter|drop)\s+\w+)\s+"?(\w+)"?/gi;

/** Maximum number of cached texts. Statements have few different texts. */
const TEXTS_MAX = 2_000;

const known = lru<string, readonly string[]>(TEXTS_MAX);

const READS = /^\s*(?:select|with|pragma|explain)\b/i;

/** Name that means all tables. */
const ANY = '*';

/** The tables that a statement changes. Empty if the statement only reads; `*` if the tables are unknown. */
export function changedBy(text: string): readonly string[] {
  let tables = known.get(text);
  if (tables === undefined) {
    tables = [...text.matchAll(CHANGES)].map((match) => match[1]!.toLowerCase());
    if (tables.length === 0 && !READS.test(text)) tables = [ANY];
    known.set(text, tables);
  }
  return tables;
}

/** Some tables, and a number that changes when one of them may have changed. */
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

  /** `foreign` returns another value after a commit of another process. */
  constructor(foreign: () => unknown) {
    this.#foreign = foreign;
    this.#seen = foreign();
  }

  /** Returns the version of the whole database. The call also looks for commits of other processes. */
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

  /** Records the tables that a statement of the open transaction changes. */
  note(text: string): void {
    for (const table of changedBy(text)) this.#touched.add(table);
  }

  /** Changes the versions after the end of the transaction, because reads before the commit still see the old rows. */
  ended(): void {
    if (this.#touched.size === 0) return;
    this.#version += 1;
    const all = this.#touched.has(ANY);
    for (const group of this.#groups) if (all || !this.#touched.isDisjointFrom(group.tables)) group.version += 1;
    this.#touched.clear();
  }
}
