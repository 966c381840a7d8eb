/**
 * Removes two kinds of fields: known fields that are `null`, because `null` means absence (docs/api.md#bodies), and
 * unknown fields if the handling is lenient.
 */
import { Decimal } from '../decimal.ts';
import { FIELD_ERRORS_MAX } from './field-errors.ts';
import { likeliest, mayBe, memberSchema, type Schema, target, typesOf } from './keywords.ts';
import { below } from './pointer.ts';

/**
 * Whether any field in a value is `null`, also in the objects of lists. A list element that is itself `null` does not
 * count.
 */
export function hasNullMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return false;
  if (Array.isArray(value)) return value.some(hasNullMember);
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === null || hasNullMember(member)) return true;
  }
  return false;
}

/** Copies a value without its `null` fields and, if the handling is lenient, without its unknown fields. */
export class Pruning {
  /** Pointers of the removed unknown fields. */
  readonly pointers: string[] = [];
  more = false;
  readonly #names: ReadonlyMap<string, Schema>;
  readonly #isLenient: boolean;

  constructor(names: ReadonlyMap<string, Schema>, isLenient: boolean) {
    this.#names = names;
    this.#isLenient = isLenient;
  }

  /** Returns the same value if nothing is removed. */
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
      const isUnknown = member === false && this.#isLenient;
      if (isUnknown) this.#drop(pointer, name);
      const isDropped = isUnknown || (value[name] === null && member !== false && !this.#takesNull(member));
      const kept = member && !isDropped ? this.prune(member, value[name], below(pointer, name)) : value[name];
      if (!isDropped) members.push([name, kept]);
      changed ||= isDropped || kept !== value[name];
    }
    return changed ? Object.fromEntries(members) : value;
  }

  /** Whether the schema permits `null` as a value of the field. Otherwise, `null` means that the field is absent. */
  #takesNull(member: Schema | undefined): boolean {
    if (member === undefined) return true;
    const known = target(this.#names, member);
    return typesOf(known).includes('null') || (known.anyOf ?? []).some((branch) => this.#takesNull(branch));
  }

  #drop(pointer: string, name: string): void {
    if (this.pointers.length < FIELD_ERRORS_MAX) this.pointers.push(below(pointer, name));
    else this.more = true;
  }
}
