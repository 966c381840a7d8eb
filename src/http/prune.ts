/** Leniency (decision 19). */
import { Decimal } from '../decimal.ts';
import { FAULTS_MAX } from './faults.ts';
import { likeliest, mayBe, memberSchema, type Schema, target } from './keywords.ts';
import { below } from './pointer.ts';

/** Copies a value without the members that its schema does not know. */
export class Pruning {
  readonly pointers: string[] = [];
  more = false;
  readonly #names: ReadonlyMap<string, Schema>;

  constructor(names: ReadonlyMap<string, Schema>) {
    this.#names = names;
  }

  /** The value itself where nothing is dropped. */
  prune(schema: Schema, value: unknown, pointer: string): unknown {
    if (typeof value !== 'object' || value === null || value instanceof Decimal) return value;
    const known = this.#choose(schema, value);
    if (Array.isArray(value)) return this.#list(known, value, pointer);
    return this.#members(known, value as Record<string, unknown>, pointer);
  }

  #choose(schema: Schema, value: unknown): Schema {
    const known = target(this.#names, schema);
    if (!known.anyOf) return known;
    const kinds = known.anyOf.filter((branch) => mayBe(this.#names, branch, value));
    return kinds.length === 0 ? known : this.#choose(likeliest(this.#names, kinds, value), value);
  }

  #list(schema: Schema, value: unknown[], pointer: string): unknown[] {
    const { items } = schema;
    if (!items) return value;
    let copy: unknown[] | undefined;
    for (const [i, element] of value.entries()) {
      const kept = this.prune(items, element, `${pointer}/${i}`);
      if (kept === element) continue;
      copy ??= [...value];
      copy[i] = kept;
    }
    return copy ?? value;
  }

  #members(schema: Schema, value: Record<string, unknown>, pointer: string): Record<string, unknown> {
    let changed = false;
    const members: [string, unknown][] = [];
    for (const name of Object.keys(value)) {
      const member = memberSchema(schema, name);
      if (member === false) this.#drop(pointer, name);
      const kept = member ? this.prune(member, value[name], below(pointer, name)) : value[name];
      if (member !== false) members.push([name, kept]);
      changed ||= member === false || kept !== value[name];
    }
    return changed ? Object.fromEntries(members) : value;
  }

  #drop(pointer: string, name: string): void {
    if (this.pointers.length < FAULTS_MAX) this.pointers.push(below(pointer, name));
    else this.more = true;
  }
}
