/**
 * Walks over a value that Ajv has rejected, and makes the errors with their texts (docs/decisions/004). Errors of an
 * object's own fields come before those of the elements of its lists. The walk ends after the maximum number of errors.
 */

import { Decimal, isNumeric } from '../decimal.ts';
import type { DecimalLimits } from '../schema.ts';
import { say } from '../sentences.ts';
import { dateTimeHint } from '../time.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldError } from './field-errors.ts';
import { identifierProblem } from './identifiers.ts';
import {
  codePoints,
  constants,
  decimalBreaches,
  deref,
  expression,
  FORMATS,
  has,
  hasType,
  likeliest,
  mayBe,
  namesIn,
  patternsOf,
  type Schema,
  target,
  typesOf,
} from './keywords.ts';
import { didYouMean, nearest } from './nearest.ts';
import { below, stepsOf } from './pointer.ts';
import { isRecord } from './record.ts';
import { inEnglish, type Sentence, sequence, type Value } from './sentence.ts';
import { ECHO_MAX, listed, quote, quoted, shorten } from './words.ts';

/** A string beyond its maximum length is matched with its pattern only if it has at most this length. */
const PATTERN_MAX = 10_000;
const SHOWN_VALUES = 30;

const FORMAT_FORMS: Readonly<Record<string, Sentence>> = {
  'date-time': say('a valid date-time of 1970 to 9999 with a UTC offset, like 2026-01-31T08:30:00+00:00'),
  date: say('a valid date of 1970 to 9999, like 2026-01-31'),
  'iso-date': say(
    'a valid date of 1970 to 9999, like 2026-01-31, or a date-time with a UTC offset, like 2026-01-31T08:30:00Z',
  ),
};

const NO_DAY = say('is not a valid date of 1970 to 9999; correct the year, month or day');

type WholeRange = NonNullable<Schema['x-whole']>;

/** Returns the error text of a parameter that is not a whole number in its range. */
function mustBeWhole({ minimum, maximum }: WholeRange): Sentence {
  return maximum === undefined
    ? say('must be a whole number of at least {minimum}; send `next` of the previous page', { minimum })
    : say('must be a whole number from {minimum} to {maximum}', { minimum, maximum });
}

/** The first error that Ajv found. */
type AjvError = { instancePath: string; keyword: string; message?: string };

/**
 * The errors of a value that Ajv rejected with `error`, and whether there are `more` than the 100 that are kept.
 * `names` are the schemas of references.
 */
export function explain(
  schema: Schema,
  value: unknown,
  names: ReadonlyMap<string, Schema>,
  error?: AjvError,
): { errors: readonly FieldError[]; more: boolean } {
  const found = new Findings(FIELD_ERRORS_MAX);
  new Walk(names, found).walk(schema, value, ROOT);
  if (found.errors.length === 0 && error !== undefined) found.add(fromAjv(error));
  return found;
}

/** The error of Ajv itself, for a keyword that the walk does not know. */
function fromAjv({ instancePath: pointer, keyword, message }: AjvError): FieldError {
  return fieldError(
    pointer,
    keyword,
    say('{subject} {message}; send it as documented', {
      subject: subjectOf(pointer),
      message: message ?? say('is not as documented'),
    }),
  );
}

class Findings {
  readonly errors: FieldError[] = [];
  /** Whether there are more errors than the maximum; the walk then stops. */
  more = false;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(error: FieldError): void {
    if (this.errors.length < this.#most) this.errors.push(error);
    else this.more = true;
  }

  /** Whether another error can be kept. If not, sets `more`. */
  room(): boolean {
    if (this.errors.length < this.#most) return true;
    this.more = true;
    return false;
  }
}

interface Place {
  readonly pointer: string;
  /** Whether errors must not show the values at this place. */
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

  /**
   * Finds the errors of a value: first the errors of the value itself, then the errors of each element of its lists, in
   * the same way.
   */
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
    const wanted = sequence(
      types.map((type) => TYPE_NAMES[type] ?? type),
      say(' or '),
    );
    if (types.includes('integer') && isNumeric(value) && this.#beyond(schema, Number(value), place)) return false;
    if (value instanceof Decimal && types.includes('number')) {
      this.#add(place, 'type', value, say('has too many digits; send at most 15 digits'), types);
    } else {
      this.#add(place, 'type', value, say('must be {wanted}', { wanted }), types.length === 1 ? types[0] : types);
    }
    return false;
  }

  /** Checks `enum` and `const` of scalars; for lists and objects, the error of Ajv is used. */
  #listed(schema: Schema, value: unknown, place: Place): void {
    const values = 'const' in schema ? [schema.const] : schema.enum;
    if (!values || values.some((one) => one === value || isRecord(one) || Array.isArray(one))) return;
    const strings = values.filter((one) => typeof one === 'string');
    const hint = place.secret ? '' : didYouMean(value, strings);
    const shown = values.map((one) => (typeof one === 'string' && one !== '' ? one : JSON.stringify(one)));
    const list = listed(shown, SHOWN_VALUES);
    const requirement = values.length === 1 ? say('must be {list}', { list }) : say('must be one of {list}', { list });
    this.#add(
      place,
      'const' in schema ? 'const' : 'enum',
      value,
      sequence([requirement, hint], ''),
      values.slice(0, SHOWN_VALUES),
    );
  }

  #string(schema: Schema, value: string, place: Place): void {
    const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY, pattern, format } = schema;
    // A code point has one or two UTF-16 units, so most strings need no count of code points.
    const tooShort = value.length < least * 2 && codePoints(value) < least;
    const tooLong = value.length > most && codePoints(value) > most;
    if (tooShort) {
      const fields = { characters: characters(least) };
      const requirement =
        value === ''
          ? say('is empty; send at least {characters}', fields)
          : say('is too short; send at least {characters}', fields);
      this.#add(place, 'minLength', value, requirement, least);
    }
    if (tooLong)
      this.#add(
        place,
        'maxLength',
        value,
        say('has {codePoints} {codePoints|character|characters}; send at most {characters}', {
          codePoints: codePoints(value),
          characters: characters(most),
        }),
        most,
      );
    if ((tooShort && value === '') || (tooLong && value.length > PATTERN_MAX)) return;
    const hint = schema['x-hint'];
    const range = schema['x-whole'];
    if (range !== undefined) {
      if (!expression(pattern!).test(value)) this.#outside(range, value, place);
      return;
    }
    if (pattern !== undefined && !expression(pattern).test(value)) {
      this.#add(
        place,
        'pattern',
        value,
        hint === undefined
          ? say('must match the pattern {pattern}', { pattern })
          : say('is not accepted; {hint}', { hint }),
        pattern,
      );
    }
    if (format === undefined || FORMATS[format]?.(value) !== false) return;
    if (format === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) {
      this.#add(place, 'format', value, NO_DAY, format);
      return;
    }
    const isIdentifier = format === 'identifier';
    const ofForm =
      hint === undefined
        ? say('must be {formatForms}{dateTimeHint}', {
            formatForms: FORMAT_FORMS[format],
            dateTimeHint: dateTimeHint(value),
          })
        : say('is not accepted; {hint}', { hint });
    this.#add(place, 'format', value, isIdentifier ? identifierProblem(value)! : ofForm, format);
  }

  /** Adds the error of a query parameter that is not a whole number in its range. */
  #outside(range: WholeRange, value: string, place: Place): void {
    const { minimum, maximum } = range;
    const number = /^-?[0-9]+$/.test(value) ? Number(value) : undefined;
    if (number !== undefined && number < minimum) this.#add(place, 'minimum', value, mustBeWhole(range), minimum);
    else if (number !== undefined && maximum !== undefined && number > maximum)
      this.#add(place, 'maximum', value, mustBeWhole(range), maximum);
    else this.#add(place, 'type', value, mustBeWhole(range), 'integer');
  }

  /** Adds an error if the number is outside of the inclusive limits. Returns whether the number is outside. */
  #beyond({ minimum, maximum }: Schema, value: number, place: Place): boolean {
    const isTooSmall = minimum !== undefined && value < minimum;
    const isTooLarge = maximum !== undefined && value > maximum;
    if (isTooSmall) this.#add(place, 'minimum', value, say('must be at least {minimum}', { minimum }), minimum);
    if (isTooLarge) this.#add(place, 'maximum', value, say('must be at most {maximum}', { maximum }), maximum);
    return isTooSmall || isTooLarge;
  }

  #number(schema: Schema, value: number, place: Place): void {
    const { exclusiveMinimum, exclusiveMaximum } = schema;
    this.#beyond(schema, value, place);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
      this.#add(
        place,
        'exclusiveMinimum',
        value,
        say('must be more than {exclusiveMinimum}', { exclusiveMinimum }),
        exclusiveMinimum,
      );
    }
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
      this.#add(
        place,
        'exclusiveMaximum',
        value,
        say('must be less than {exclusiveMaximum}', { exclusiveMaximum }),
        exclusiveMaximum,
      );
    }
  }

  #decimal(limits: DecimalLimits, value: unknown, place: Place): void {
    for (const { rule, requirement, limit } of decimalBreaches(limits, value))
      this.#add(place, rule, value, requirement, limit);
  }

  #array(schema: Schema, value: unknown[], place: Place, later: Later[]): void {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
    if (value.length < minItems) {
      const message = say('has {elements}; send at least {minItems}', { elements: elements(value.length), minItems });
      this.#add(place, 'minItems', undefined, message, minItems);
    }
    if (value.length > maxItems) {
      const message = say('has {elements}; send at most {maxItems}', { elements: elements(value.length), maxItems });
      this.#add(place, 'maxItems', undefined, message, maxItems);
    }
    if (schema.uniqueItems) this.#repeated(value, place);
    if (!items) return;
    later.push(() => {
      // If the list is too long, only the permitted number of elements is checked.
      const looked = Math.min(value.length, maxItems);
      for (let i = 0; i < looked && !this.#found.more; i += 1) {
        this.walk(items, value[i], { pointer: `${place.pointer}/${i}`, secret: place.secret });
      }
    });
  }

  /** Adds an error for each text that the list already has. */
  #repeated(list: unknown[], place: Place): void {
    for (const [index, value] of list.entries()) {
      const first = list.indexOf(value);
      if (first === index || typeof value !== 'string' || !this.#found.room()) continue;
      const fields = { value: quote(value), first: `${place.pointer}/${first}` };
      const message = say('{value} is in the list twice, also at {first}; send it once', fields);
      this.#found.add(fieldError(`${place.pointer}/${index}`, 'uniqueItems', message));
    }
  }

  #object(schema: Schema, value: Record<string, unknown>, place: Place, later: Later[]): void {
    for (const name of schema.required ?? []) {
      if (!has(value, name)) this.#missing(name, place);
    }
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (has(value, name)) this.#frame(member, value[name], placeOf(place, name), later);
    }
    this.#counted(schema, value, place);
    if (schema.patternProperties === undefined && (schema.additionalProperties ?? true) === true) return;
    for (const name of namesIn(value)) {
      if (this.#found.more) return;
      this.#other(schema, value, name, place, later);
    }
  }

  #counted(schema: Schema, value: Record<string, unknown>, place: Place): void {
    const { minProperties, maxProperties } = schema;
    if (minProperties === undefined && maxProperties === undefined) return;
    const count = namesIn(value).length;
    if (minProperties !== undefined && count < minProperties) {
      this.#add(
        place,
        'minProperties',
        undefined,
        say('has {count} fields; send at least {minProperties}', { count, minProperties }),
        minProperties,
      );
    }
    if (maxProperties !== undefined && count > maxProperties) {
      this.#add(
        place,
        'maxProperties',
        undefined,
        say('has {count} fields; send at most {maxProperties}', { count, maxProperties }),
        maxProperties,
      );
    }
  }

  /** Checks a field that is not in `properties` with `patternProperties` and `additionalProperties`. */
  #other(schema: Schema, value: Record<string, unknown>, name: string, place: Place, later: Later[]): void {
    const patterns = patternsOf(schema, name);
    for (const one of patterns) this.#frame(one, value[name], placeOf(place, name), later);
    if (patterns.length > 0 || Object.hasOwn(schema.properties ?? {}, name)) return;
    if (schema.additionalProperties === false) this.#unknown(schema, name, place);
    else if (isRecord(schema.additionalProperties)) {
      this.#frame(schema.additionalProperties, value[name], placeOf(place, name), later);
    }
  }

  #missing(name: string, place: Place): void {
    if (!this.#found.room()) return;
    const pointer = below(place.pointer, name);
    this.#found.add(
      fieldError(
        pointer,
        'required',
        say('{name} is missing{inside}; add it', { name: quoted(name), inside: inside(place.pointer) }),
      ),
    );
  }

  #unknown(schema: Schema, name: string, place: Place): void {
    if (!this.#found.room()) return;
    const near = nearest(name, Object.keys(schema.properties ?? {}));
    const elsewhere = schema['x-elsewhere']?.[name];
    const hint =
      elsewhere ?? (near === undefined ? say('remove it') : say('did you mean {near}?', { near: quoted(near) }));
    const message = say('unknown field {name}{inside}; {hint}', {
      name: quoted(shorten(name)),
      inside: inside(place.pointer),
      hint,
    });
    this.#found.add(fieldError(below(place.pointer, name), 'unknown', message));
  }

  #union(branches: Schema[], value: unknown, place: Place, later: Later[]): void {
    if (branches.some((branch) => fits(this.#names, branch, value))) return;
    // A check by `fits` ends here, because it keeps no errors. If it also searched for the likeliest branch below, its work
    // would double at each level of nested unions.
    if (!this.#found.room()) return;
    const flat = branches.flatMap((branch) => constants(this.#names, branch));
    const kinds = branches.filter((branch) => mayBe(this.#names, branch, value));
    if (flat.every((one) => one !== undefined)) {
      this.#listed({ enum: flat.flat() }, value, place);
    } else if (kinds.length === 0) {
      const types = [...new Set(branches.flatMap((branch) => typesOf(target(this.#names, branch))))];
      const wanted = sequence(
        types.map((type) => TYPE_NAMES[type] ?? type),
        say(' or '),
      );
      this.#add(
        place,
        'type',
        value,
        types.length === 0
          ? say('must have one of the forms that /docs lists for this field')
          : say('must be {wanted}', { wanted }),
        types,
      );
    } else {
      this.#frame(likeliest(this.#names, kinds, value), value, place, later);
    }
  }

  #add(place: Place, rule: string, value: unknown, requirement: Sentence, limit: unknown): void {
    if (!this.#found.room()) return;
    const echo = place.secret || value === undefined ? '' : show(value);
    const subject = subjectOf(place.pointer);
    const message =
      echo === ''
        ? sequence([subject, requirement], ' ')
        : say('{subject} {requirement} (got {echo})', { subject, requirement, echo });
    this.#found.add(fieldError(place.pointer, rule, message, limit));
  }
}

function fits(names: ReadonlyMap<string, Schema>, schema: Schema, value: unknown): boolean {
  const found = new Findings(0);
  new Walk(names, found).walk(schema, value, ROOT);
  return !found.more;
}

const TYPE_NAMES: Readonly<Record<string, Sentence>> = {
  array: say('a list'),
  boolean: say('true or false'),
  integer: say('a whole number'),
  null: inEnglish('null'),
  number: say('a number'),
  object: say('an object'),
  string: say('a string'),
};

function placeOf(object: Place, name: string): Place {
  return { pointer: below(object.pointer, name), secret: object.secret };
}

/** The field at a pointer, as the subject of a sentence. */
function subjectOf(pointer: string): Value {
  if (pointer === '') return say('the message');
  const steps = stepsOf(pointer);
  const last = shorten(steps.at(-1) ?? '');
  if (!/^\d+$/.test(last)) return quoted(last);
  const parent = steps.at(-2) ?? '';
  return parent === ''
    ? say('element {last}', { last })
    : say('element {last} of {parent}', { last, parent: quoted(shorten(parent)) });
}

function inside(pointer: string): Sentence | '' {
  return pointer === '' ? '' : say(' in {subject}', { subject: subjectOf(pointer) });
}

/** A scalar value for a message, at most 60 characters; empty for lists and objects. */
function show(value: unknown): string {
  if (typeof value === 'string') return shorten(JSON.stringify(value.slice(0, ECHO_MAX + 1)));
  if (typeof value === 'object' && value !== null && !(value instanceof Decimal)) return '';
  return shorten(String(value));
}

function characters(count: number): Sentence {
  return count === 1 ? say('1 character') : say('{count} {count|character|characters}', { count });
}

function elements(count: number): Sentence {
  return count === 1 ? say('1 element') : say('{count} {count|element|elements}', { count });
}
