/**
 * Validation of messages against their schemas (decisions 12, 13, 14, 19). Ajv, compiled, is the quick and only judge; a value
 * it refuses is walked once more to say every fault in words, at most 100 of them.
 */
import { _, Ajv, type CodeKeywordDefinition, type FuncKeywordDefinition, type KeywordCxt, type Options } from 'ajv';
import { big, Decimal, decimalText, isNumeric, type Numeric } from '../decimal.ts';
import type { DecimalLimits, TSchema } from '../schema.ts';
import { isDateTime, isIsoDate } from '../time.ts';

/** One fault of a message. */
export interface Fault {
  /** RFC 6901. Of a missing member: where it belongs. Of a member whose name is longer than 200 characters: its object. */
  pointer: string;
  /** The keyword of the schema that is broken, or `unknown`, or `integerDigits` and `fractionDigits` of an exact number. */
  rule: string;
  limit?: unknown;
  /** What is wrong and how to mend it; names the member. */
  message: string;
}

/** What a validator found. */
export interface Verdict {
  /** The first 100 faults: an object's own members before the elements of its lists. Empty when the value is good. */
  faults: Fault[];
  /** How many faults there are, or "100+". */
  total: number | string;
  /** Pointers of the unknown members that leniency dropped, at most the first 100. */
  ignored: string[];
  ignoredTotal: number | string;
  /** The value, without what leniency dropped. The value handed in is never changed. */
  value: unknown;
}

/** Most faults that are ever held (decision 13). */
export const FAULTS_MAX = 100;
const MORE = `${FAULTS_MAX}+`;
const ECHO_MAX = 60;
const NAME_MAX = 200;
/** A string longer than this is not tried against its pattern once its length is a fault. */
const PATTERN_MAX = 10_000;
const SHOWN_VALUES = 30;

/** `lenient` drops unknown members instead of refusing them (decision 19). */
export interface ValidateOptions {
  lenient?: boolean;
}

/** Judges a value; never throws for any JSON value. */
export type Validator = (value: unknown, options?: ValidateOptions) => Verdict;

/** One fault, for a rule that no schema states. */
export function faultsOf(pointer: string, rule: string, message: string, limit?: unknown): Fault {
  return { pointer, rule, ...(limit !== undefined && { limit }), message };
}

/**
 * A validator of `schema`; `named` are the schemas that its references name. Made once at start: a reference to nothing or an
 * unknown format throws here.
 */
export function compile(schema: TSchema, named: readonly TSchema[] = NONE): Validator {
  const known = compiled.get(named)?.get(schema);
  if (known !== undefined) return known;
  const validator = compileAnew(schema, namesOf(named));
  if (!compiled.has(named)) compiled.set(named, new WeakMap());
  compiled.get(named)!.set(schema, validator);
  return validator;
}

/** The same, made at its first use: all of an installation's at once are half of the time of a start. */
export function compileLate(schema: TSchema, named: readonly TSchema[] = NONE): Validator {
  let validator: Validator | undefined;
  return (value, options) => {
    validator ??= compile(schema, named);
    return validator(value, options);
  };
}

const NONE: readonly TSchema[] = [];
/** A validator keeps no state, and making one takes milliseconds: every server of a process shares them. */
const compiled = new WeakMap<readonly TSchema[], WeakMap<TSchema, Validator>>();

function compileAnew(root: Schema, names: Map<string, Schema>): Validator {
  const $defs = Object.fromEntries([...reachable(root, names)].map(([name, one]) => [name, forAjv(one)]));
  const whole = { ...forAjv(root), $defs };
  const judge = (namesInherited(whole) ? carefulAjv : ajv).compile(whole);
  return (input, options) => {
    if (options?.lenient !== true && judge(input)) {
      return { faults: [], total: 0, ignored: [], ignoredTotal: 0, value: input };
    }
    const dropped = new Pruning(names);
    const value = options?.lenient === true ? dropped.prune(root, input, '') : input;
    const ignored = { ignored: dropped.pointers, ignoredTotal: counted(dropped.pointers, dropped.more), value };
    if (judge(value)) return { faults: [], total: 0, ...ignored };
    const found = new Findings(FAULTS_MAX);
    new Walk(names, found).walk(root, value, ROOT);
    if (found.faults.length === 0) found.add(ajvFault(judge.errors?.[0]));
    return { faults: found.faults, total: counted(found.faults, found.more), ...ignored };
  };
}

/** The named schemas that a schema leads to, so that Ajv reads no others. */
function reachable(root: Schema, names: ReadonlyMap<string, Schema>): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === '$ref' ? refName(String(member)) : undefined;
      const schema = name === undefined ? undefined : names.get(name);
      if (name === undefined || schema === undefined) visit(member);
      else if (!found.has(name)) {
        found.set(name, schema);
        visit(schema);
      }
    }
  };
  visit(root);
  return found;
}

/** The faults of a value, in words; `compile` uses it on what Ajv refuses. At most 100. */
export function explain(schema: TSchema, value: unknown, named: readonly TSchema[] = []): Fault[] {
  const found = new Findings(FAULTS_MAX);
  new Walk(namesOf(named), found).walk(schema, value, ROOT);
  return found.faults;
}

function namesOf(named: readonly TSchema[]): Map<string, Schema> {
  return new Map(named.map((one) => [(one as Schema).$id ?? '', one as Schema]));
}

function counted(held: readonly unknown[], more: boolean): number | string {
  return more ? MORE : held.length;
}

/** The candidate that `name` is most likely a misspelling of. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const asked = fold(name);
  const allowed = Math.min(3, Math.floor(asked.length / 3));
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > 8) continue;
    const distance = editDistance(asked, fold(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that make `b` of `a`. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_unused, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** The keywords that the walk knows. */
interface Schema {
  $id?: string;
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  decimal?: DecimalLimits;
  'x-ignored'?: boolean;
  'x-secret'?: boolean;
  'x-mend'?: string;
}

// ---- The judge

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = { 'date-time': isDateTime, 'iso-date': isIsoDate };
const FORMAT_FORMS: Readonly<Record<string, string>> = {
  'date-time': 'an existing date-time of 1970 to 9999 with its offset, like 2026-01-31T08:30:00+00:00',
  'iso-date':
    'an existing date of 1970 to 9999 like 2026-01-31, or a date-time with its offset like 2026-01-31T08:30:00Z',
};

const decimalKeyword: FuncKeywordDefinition = {
  keyword: 'decimal',
  schema: true,
  errors: false,
  compile: (limits: DecimalLimits) => {
    const isPlain = plainDecimals(limits);
    return (value: unknown) => isPlain(value) || decimalBreaches(limits, value).length === 0;
  },
};

/** Recognizes most of the doubles that keep the limits by arithmetic alone; of the others it says nothing. */
function plainDecimals({ integer, fraction, min = -Infinity, max = Infinity }: DecimalLimits) {
  const unit = 10 ** Math.min(fraction, SURE_DIGITS);
  const end = Math.min(10 ** integer, 10 ** SURE_DIGITS / unit);
  return (value: unknown): boolean => {
    if (typeof value !== 'number' || !(value >= min && value <= max && value > -end && value < end)) return false;
    // The double of a decimal of 15 digits is nobody else's, so its shortest text has no more digits after the point.
    return Number.isInteger(value) || Math.round(value * unit) / unit === value;
  };
}

/** Digits of a decimal that a double surely tells from its neighbours. */
const SURE_DIGITS = 15;

/** The lengths of `minLength` and `maxLength` in code points; few strings need to be counted (a code point is one or two units). */
const lengthKeywords: CodeKeywordDefinition[] = [
  {
    keyword: 'atLeast',
    type: 'string',
    code(cxt: KeywordCxt) {
      const least = Number(cxt.schema);
      const count = cxt.gen.scopeValue('func', { ref: codePoints });
      cxt.fail(_`${cxt.data}.length < ${2 * least} && ${count}(${cxt.data}) < ${least}`);
    },
  },
  {
    keyword: 'atMost',
    type: 'string',
    code(cxt: KeywordCxt) {
      const most = Number(cxt.schema);
      const count = cxt.gen.scopeValue('func', { ref: codePoints });
      cxt.fail(_`${cxt.data}.length > ${most} && ${count}(${cxt.data}) > ${most}`);
    },
  },
];
const OWN_NAMES: Readonly<Record<string, string>> = { minLength: 'atLeast', maxLength: 'atMost' };

/** A `Decimal` is an object to Ajv; to a message it is a number. */
const recordKeyword: CodeKeywordDefinition = {
  keyword: 'record',
  code(cxt: KeywordCxt) {
    const decimal = cxt.gen.scopeValue('obj', { ref: Decimal });
    cxt.fail(_`${cxt.data} instanceof ${decimal}`);
  },
};

const AJV_OPTIONS: Options = {
  allErrors: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
  logger: false,
  formats: { ...FORMATS },
  keywords: [decimalKeyword, recordKeyword, ...lengthKeywords],
};
const ajv = new Ajv(AJV_OPTIONS);
/** For schemas with members that every object inherits: asks of each member whether the object has it itself, which costs half as much again. */
const carefulAjv = new Ajv({ ...AJV_OPTIONS, ownProperties: true });

/** Whether a schema has, anywhere, a name such as `constructor`. */
function namesInherited(schema: unknown): boolean {
  if (typeof schema === 'string') return schema in Object.prototype;
  if (typeof schema !== 'object' || schema === null) return false;
  const names = Array.isArray(schema) ? [] : Object.keys(schema);
  return names.some((name) => name in Object.prototype) || Object.values(schema).some(namesInherited);
}

/** The schema as Ajv shall judge it: references into `$defs`, no identifiers, no annotations, own keywords for numbers, objects and lengths. */
function forAjv(schema: Schema): Record<string, unknown> {
  if (schema.decimal) return { decimal: schema.decimal };
  if (schema.format !== undefined && !Object.hasOwn(FORMATS, schema.format))
    throw new Error(`unknown format ${schema.format}`);
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id' || key.startsWith('x-') || key.startsWith('~')) continue;
    copy[OWN_NAMES[key] ?? key] = forAjvKeyword(key, value);
  }
  if (typesOf(schema).includes('object')) copy.record = true;
  return copy;
}

function forAjvKeyword(key: string, value: unknown): unknown {
  if (key === '$ref') return `#/$defs/${pointerStep(refName(String(value)))}`;
  if (key === 'properties' || key === 'patternProperties') {
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, one]) => [name, forAjv(one)]),
    );
  }
  if (key === 'anyOf' || key === 'allOf') return (value as Schema[]).map(forAjv);
  if ((key === 'items' || key === 'additionalProperties') && isRecord(value)) return forAjv(value);
  return value;
}

/** What Ajv found where the walk finds nothing: a keyword that the walk does not know. */
function ajvFault(error: { instancePath: string; keyword: string; message?: string } | undefined): Fault {
  const pointer = error?.instancePath ?? '';
  return faultsOf(
    pointer,
    error?.keyword ?? 'schema',
    `${subjectOf(pointer)} ${error?.message ?? 'is not as documented'}; send it as documented`,
  );
}

// ---- The walk

class Findings {
  readonly faults: Fault[] = [];
  /** Whether there were more faults than are held; then the walk stops. */
  more = false;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(fault: Fault): void {
    if (this.faults.length < this.#most) this.faults.push(fault);
    else this.more = true;
  }

  /** Whether another fault would be held; the one too many is noted and makes no object. */
  room(): boolean {
    if (this.faults.length < this.#most) return true;
    this.more = true;
    return false;
  }
}

interface Place {
  readonly pointer: string;
  /** Whether values here must not be echoed. */
  readonly secret: boolean;
}

const ROOT: Place = { pointer: '', secret: false };

type Later = () => void;

class Walk {
  readonly #names: ReadonlyMap<string, Schema>;
  readonly #found: Findings;

  constructor(names: ReadonlyMap<string, Schema>, found: Findings) {
    this.#names = names;
    this.#found = found;
  }

  /** Lists the faults of a value: first its frame, then the elements of the lists in it, each in the same way. */
  walk(schema: Schema, value: unknown, place: Place): void {
    const later: Later[] = [];
    this.#frame(schema, value, place, later);
    for (const lists of later) lists();
  }

  #frame(schema: Schema, value: unknown, outer: Place, later: Later[]): void {
    if (this.#found.more) return;
    const place = schema['x-secret'] === true && !outer.secret ? { ...outer, secret: true } : outer;
    if (schema.$ref !== undefined) this.#frame(deref(this.#names, schema), value, place, later);
    for (const part of schema.allOf ?? []) this.#frame(part, value, place, later);
    if (schema.anyOf) this.#union(schema.anyOf, value, place, later);
    if (schema.decimal) {
      this.#decimal(schema.decimal, value, place);
      return;
    }
    if (!this.#typed(schema, value, place)) return;
    this.#listed(schema, value, place);
    if (typeof value === 'string') this.#string(schema, value, place);
    else if (typeof value === 'number') this.#number(schema, value, place);
    else if (Array.isArray(value)) this.#array(schema, value, place, later);
    else if (isRecord(value)) this.#object(schema, value, place, later);
  }

  #typed(schema: Schema, value: unknown, place: Place): boolean {
    const types = typesOf(schema);
    if (types.length === 0 || types.some((type) => hasType(type, value))) return true;
    const wanted = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
    if (value instanceof Decimal && types.includes('number')) {
      this.#add(place, 'type', value, 'has more digits than can be kept here; send at most 15 digits', types);
    } else {
      this.#add(place, 'type', value, `must be ${wanted}`, types.length === 1 ? types[0] : types);
    }
    return false;
  }

  /** `enum` and `const`, of scalars only; anything else is left to Ajv's own words. */
  #listed(schema: Schema, value: unknown, place: Place): void {
    const values = 'const' in schema ? [schema.const] : schema.enum;
    if (!values || values.some((one) => one === value || isRecord(one) || Array.isArray(one))) return;
    const strings = values.filter((one) => typeof one === 'string');
    const near = typeof value === 'string' && !place.secret ? nearest(value, strings) : undefined;
    const shown = values
      .slice(0, SHOWN_VALUES)
      .map((one) => (typeof one === 'string' && one !== '' ? one : JSON.stringify(one)));
    const list = shown.join(', ') + (values.length > SHOWN_VALUES ? ', ...' : '');
    const wish = values.length === 1 ? `must be ${list}` : `must be one of ${list}`;
    this.#add(
      place,
      'const' in schema ? 'const' : 'enum',
      value,
      near === undefined ? wish : `${wish}; did you mean ${quoted(near)}?`,
      values.slice(0, SHOWN_VALUES),
    );
  }

  #string(schema: Schema, value: string, place: Place): void {
    const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY, pattern, format } = schema;
    // A code point is one or two units, so most strings need no count.
    const tooShort = value.length < least * 2 && codePoints(value) < least;
    const tooLong = value.length > most && codePoints(value) > most;
    if (tooShort) {
      const wish = value === '' ? 'is empty; send' : 'is too short; send';
      this.#add(place, 'minLength', value, `${wish} at least ${characters(least)}`, least);
    }
    if (tooLong)
      this.#add(
        place,
        'maxLength',
        value,
        `has ${codePoints(value)} characters; send at most ${characters(most)}`,
        most,
      );
    if ((tooShort && value === '') || (tooLong && value.length > PATTERN_MAX)) return;
    const mend = schema['x-mend'];
    if (pattern !== undefined && !expression(pattern).test(value)) {
      this.#add(
        place,
        'pattern',
        value,
        mend === undefined ? `must match the pattern ${pattern}` : `is not accepted; ${mend}`,
        pattern,
      );
    }
    if (format !== undefined && FORMATS[format]?.(value) === false) {
      this.#add(
        place,
        'format',
        value,
        mend === undefined ? `must be ${FORMAT_FORMS[format]}` : `is not accepted; ${mend}`,
        format,
      );
    }
  }

  #number(schema: Schema, value: number, place: Place): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    if (minimum !== undefined && value < minimum)
      this.#add(place, 'minimum', value, `must be at least ${minimum}`, minimum);
    if (maximum !== undefined && value > maximum)
      this.#add(place, 'maximum', value, `must be at most ${maximum}`, maximum);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
      this.#add(place, 'exclusiveMinimum', value, `must be more than ${exclusiveMinimum}`, exclusiveMinimum);
    }
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
      this.#add(place, 'exclusiveMaximum', value, `must be less than ${exclusiveMaximum}`, exclusiveMaximum);
    }
  }

  #decimal(limits: DecimalLimits, value: unknown, place: Place): void {
    for (const { rule, wish, limit } of decimalBreaches(limits, value)) this.#add(place, rule, value, wish, limit);
  }

  #array(schema: Schema, value: unknown[], place: Place, later: Later[]): void {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
    const has = `has ${elements(value.length)}; send`;
    if (value.length < minItems) this.#add(place, 'minItems', undefined, `${has} at least ${minItems}`, minItems);
    if (value.length > maxItems) this.#add(place, 'maxItems', undefined, `${has} at most ${maxItems}`, maxItems);
    if (!items) return;
    later.push(() => {
      for (let i = 0; i < value.length && !this.#found.more; i += 1) {
        this.walk(items, value[i], { pointer: `${place.pointer}/${i}`, secret: place.secret });
      }
    });
  }

  #object(schema: Schema, value: Record<string, unknown>, place: Place, later: Later[]): void {
    for (const name of schema.required ?? []) {
      if (!has(value, name)) this.#missing(name, place);
    }
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (has(value, name)) this.#frame(member, value[name], below(place, name), later);
    }
    this.#counted(schema, value, place);
    if (schema.patternProperties === undefined && (schema.additionalProperties ?? true) === true) return;
    for (const name in value) {
      if (this.#found.more) return;
      if (Object.hasOwn(value, name)) this.#other(schema, value, name, place, later);
    }
  }

  #counted(schema: Schema, value: Record<string, unknown>, place: Place): void {
    const { minProperties, maxProperties } = schema;
    if (minProperties === undefined && maxProperties === undefined) return;
    const count = Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties) {
      this.#add(
        place,
        'minProperties',
        undefined,
        `has ${count} members; send at least ${minProperties}`,
        minProperties,
      );
    }
    if (maxProperties !== undefined && count > maxProperties) {
      this.#add(
        place,
        'maxProperties',
        undefined,
        `has ${count} members; send at most ${maxProperties}`,
        maxProperties,
      );
    }
  }

  /** A member as `patternProperties` and `additionalProperties` see it. */
  #other(schema: Schema, value: Record<string, unknown>, name: string, place: Place, later: Later[]): void {
    const patterns = patternsOf(schema, name);
    for (const one of patterns) this.#frame(one, value[name], below(place, name), later);
    if (patterns.length > 0 || Object.hasOwn(schema.properties ?? {}, name)) return;
    if (schema.additionalProperties === false) this.#unknown(schema, name, place);
    else if (isRecord(schema.additionalProperties)) {
      this.#frame(schema.additionalProperties, value[name], below(place, name), later);
    }
  }

  #missing(name: string, place: Place): void {
    if (!this.#found.room()) return;
    const pointer = below(place, name).pointer;
    this.#found.add(faultsOf(pointer, 'required', `${quoted(name)} is missing${inside(place.pointer)}; add it`));
  }

  #unknown(schema: Schema, name: string, place: Place): void {
    if (!this.#found.room()) return;
    const near = nearest(name, Object.keys(schema.properties ?? {}));
    const mend = near === undefined ? 'remove it' : `did you mean ${quoted(near)}?`;
    const message = `unknown member ${quoted(cut(name))}${inside(place.pointer)}; ${mend}`;
    this.#found.add(faultsOf(below(place, name).pointer, 'unknown', message));
  }

  #union(branches: Schema[], value: unknown, place: Place, later: Later[]): void {
    if (branches.some((branch) => fits(this.#names, branch, value))) return;
    // A probe ends here: walking the likeliest branch as well would double the work at each level.
    if (!this.#found.room()) return;
    const flat = branches.flatMap((branch) => constants(this.#names, branch));
    const kinds = branches.filter((branch) => mayBe(this.#names, branch, value));
    if (flat.every((one) => one !== undefined)) {
      this.#listed({ enum: flat.flat() }, value, place);
    } else if (kinds.length === 0) {
      const types = [...new Set(branches.flatMap((branch) => typesOf(target(this.#names, branch))))];
      const wanted = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
      this.#add(place, 'type', value, wanted === '' ? 'is none of the documented forms' : `must be ${wanted}`, types);
    } else {
      this.#frame(likeliest(this.#names, kinds, value), value, place, later);
    }
  }

  #add(place: Place, rule: string, value: unknown, wish: string, limit: unknown): void {
    if (!this.#found.room()) return;
    const echo = place.secret || value === undefined ? '' : show(value);
    const subject = subjectOf(place.pointer);
    const message = echo === '' ? `${subject} ${wish}` : `${subject} ${wish} (got ${echo})`;
    this.#found.add(faultsOf(place.pointer, rule, message, limit));
  }
}

// ---- Leniency

/** Copies a value without the members that its schema does not know. */
class Pruning {
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
      const place = below({ pointer, secret: false }, name).pointer;
      if (member === false) this.#drop(place);
      const kept = member ? this.prune(member, value[name], place) : value[name];
      if (member !== false) members.push([name, kept]);
      changed ||= member === false || kept !== value[name];
    }
    return changed ? Object.fromEntries(members) : value;
  }

  #drop(pointer: string): void {
    if (this.pointers.length < FAULTS_MAX) this.pointers.push(pointer);
    else this.more = true;
  }
}

/** The schema of a member; undefined where anything goes, false where it is unknown. */
function memberSchema(schema: Schema, name: string): Schema | false | undefined {
  if (Object.hasOwn(schema.properties ?? {}, name)) return schema.properties?.[name];
  const [pattern] = patternsOf(schema, name);
  if (pattern) return pattern;
  const other = schema.additionalProperties;
  return other === false ? false : isRecord(other) ? other : undefined;
}

// ---- Unions

function refName(reference: string): string {
  return reference.replace(/#$/, '').replace(/^#\/(?:components\/schemas|\$defs|definitions)\//, '');
}

function deref(names: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  return names.get(refName(schema.$ref ?? '')) ?? {};
}

function target(names: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : target(names, deref(names, schema));
}

function fits(names: ReadonlyMap<string, Schema>, schema: Schema, value: unknown): boolean {
  const found = new Findings(0);
  new Walk(names, found).walk(schema, value, ROOT);
  return !found.more;
}

/** The values of a branch that is only a list of values. */
function constants(names: ReadonlyMap<string, Schema>, branch: Schema): unknown[] | undefined {
  const known = target(names, branch);
  return 'const' in known ? [known.const] : known.enum;
}

function mayBe(names: ReadonlyMap<string, Schema>, branch: Schema, value: unknown): boolean {
  const known = target(names, branch);
  if (known.decimal) return isNumeric(value);
  const types = typesOf(known);
  return types.length === 0 || types.some((type) => hasType(type, value));
}

/** The branch with the fewest faults in the value's own members: literals that differ weigh most. */
function likeliest(names: ReadonlyMap<string, Schema>, branches: Schema[], value: unknown): Schema {
  let best = branches[0] ?? {};
  let least = Number.POSITIVE_INFINITY;
  for (const branch of branches) {
    const misfit = branches.length === 1 ? 0 : misfits(names, target(names, branch), value);
    if (misfit < least) [best, least] = [branch, misfit];
  }
  return best;
}

function misfits(names: ReadonlyMap<string, Schema>, schema: Schema, value: unknown): number {
  if (!isRecord(value)) return 0;
  let count = 0;
  for (const name of schema.required ?? []) count += has(value, name) ? 0 : 1;
  for (const name in value) {
    const member = Object.hasOwn(value, name) ? memberSchema(schema, name) : undefined;
    if (member === false) count += 1;
    if (!member) continue;
    const literals = constants(names, member);
    if (literals && !literals.includes(value[name])) count += 100;
    else if (!mayBe(names, member, value[name])) count += 1;
  }
  return count;
}

// ---- Values and words

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

function has(value: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function patternsOf(schema: Schema, name: string): Schema[] {
  if (!schema.patternProperties) return [];
  return Object.entries(schema.patternProperties).flatMap(([pattern, one]) =>
    expression(pattern).test(name) ? [one] : [],
  );
}

const expressions = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  let made = expressions.get(pattern);
  if (!made) {
    made = new RegExp(pattern, 'u');
    expressions.set(pattern, made);
  }
  return made;
}

interface Breach {
  rule: string;
  limit: unknown;
  wish: string;
}

function decimalBreaches(limits: DecimalLimits, value: unknown): Breach[] {
  if (!isNumeric(value)) return [{ rule: 'type', limit: 'number', wish: 'must be a number' }];
  const { integer, fraction, min, max } = limits;
  const [whole = '', part = ''] = decimalText(value).replace('-', '').split('.');
  const breaches: Breach[] = [];
  if (whole !== '0' && whole.length > integer) {
    const wish = `must have at most ${integer} digits before the point`;
    breaches.push({ rule: 'integerDigits', limit: integer, wish });
  }
  if (part.length > fraction) {
    const wish = fraction === 0 ? 'must be a whole number' : `must have at most ${fraction} digits after the point`;
    breaches.push({ rule: 'fractionDigits', limit: fraction, wish });
  }
  if (min !== undefined && less(value, min)) {
    breaches.push({ rule: 'minimum', limit: min, wish: `must be at least ${min}` });
  }
  if (max !== undefined && less(max, value)) {
    breaches.push({ rule: 'maximum', limit: max, wish: `must be at most ${max}` });
  }
  return breaches;
}

function less(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : big(a).lt(big(b));
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    const high = text.charCodeAt(i);
    if (high < 0xd800 || high > 0xdbff) continue;
    const low = text.charCodeAt(i + 1);
    if (low < 0xdc00 || low > 0xdfff) continue;
    count -= 1;
    i += 1;
  }
  return count;
}

function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function below(place: Place, name: string): Place {
  return name.length > NAME_MAX ? place : { pointer: `${place.pointer}/${pointerStep(name)}`, secret: place.secret };
}

/** The member at a pointer, as the subject of a sentence. */
function subjectOf(pointer: string): string {
  if (pointer === '') return 'the message';
  const steps = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = cut(steps.at(-1) ?? '');
  if (!/^\d+$/.test(last)) return quoted(last);
  const parent = steps.at(-2) ?? '';
  return parent === '' ? `element ${last}` : `element ${last} of ${quoted(cut(parent))}`;
}

function inside(pointer: string): string {
  return pointer === '' ? '' : ` in ${subjectOf(pointer)}`;
}

function quoted(name: string): string {
  return `'${name}'`;
}

/** A scalar value for a message, at most 60 characters; nothing of lists and objects. */
function show(value: unknown): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, ECHO_MAX)), value.length > ECHO_MAX);
  if (typeof value === 'object' && value !== null && !(value instanceof Decimal)) return '';
  return cut(String(value));
}

function cut(text: string, more = false): string {
  if (text.length <= ECHO_MAX && !more) return text;
  return `${text.slice(0, ECHO_MAX - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function elements(count: number): string {
  return count === 1 ? '1 element' : `${count} elements`;
}
