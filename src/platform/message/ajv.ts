/**
 * Compiles schemas with Ajv, with keywords of our own for exact numbers, objects and lengths (docs/decisions/004 and
 * docs/decisions/192). Ajv decides whether a value is valid; explain.ts finds the errors.
 */

import {
  _,
  Ajv,
  type CodeKeywordDefinition,
  type FuncKeywordDefinition,
  type KeywordCxt,
  type Options,
  type ValidateFunction,
} from 'ajv';
import { Decimal } from '../decimal.ts';
import type { DecimalLimits } from '../schema.ts';
import { codePoints, decimalBreaches, FORMATS, refName, type Schema, typesOf } from './keywords.ts';
import { pointerStep } from './pointer.ts';
import { isRecord } from './record.ts';

/** Decides whether a value is valid. If it is not, `errors` has the first error in the words of Ajv. */
export type AjvValidator = ValidateFunction;

/**
 * Compiles the schema `root`; its references name schemas of `names`. @throws Error for an unknown reference or format.
 */
export function compileWithAjv(root: Schema, names: ReadonlyMap<string, Schema>): AjvValidator {
  const $defs = Object.fromEntries([...reachable(root, names)].map(([name, one]) => [name, forAjv(one)]));
  const whole = { ...forAjv(root), $defs };
  return (namesInherited(whole) ? carefulAjv : ajv).compile(whole);
}

/** The named schemas that a schema references, so that Ajv compiles no others. */
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

const decimalKeyword: FuncKeywordDefinition = {
  keyword: 'decimal',
  schema: true,
  errors: false,
  compile: (limits: DecimalLimits) => {
    const isPlain = plainDecimals(limits);
    return (value: unknown) => isPlain(value) || decimalBreaches(limits, value).length === 0;
  },
};

/** A quick check with doubles. true: the number is within the limits. false: the exact check must decide. */
function plainDecimals({ integer, fraction, min = -Infinity, max = Infinity }: DecimalLimits) {
  const unit = 10 ** Math.min(fraction, SURE_DIGITS);
  const end = Math.min(10 ** integer, 10 ** SURE_DIGITS / unit);
  return (value: unknown): boolean => {
    if (typeof value !== 'number' || !(value >= min && value <= max && value > -end && value < end)) return false;
    // If the rounded number equals the value, the shortest text of the value has at most `fraction` digits after the point:
    // decimals of up to 15 digits convert to doubles without collisions.
    return Number.isInteger(value) || Math.round(value * unit) / unit === value;
  };
}

/** Decimals of up to this number of digits convert to doubles without collisions. */
const SURE_DIGITS = 15;

/**
 * `minLength` and `maxLength` count code points. A code point has one or two UTF-16 units, so the length in units is
 * enough to accept most strings. Only the code points of other strings are counted.
 */
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

/** A keyword that excludes `Decimal`, which is an object for Ajv but a number in a message. */
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
/**
 * Ajv for schemas with field names that every object inherits, such as `constructor`. It checks that each field is an
 * own property, so validation takes 1.5 times as long.
 */
const carefulAjv = new Ajv({ ...AJV_OPTIONS, ownProperties: true });

/** Whether a schema has a name such as `constructor` anywhere. */
function namesInherited(schema: unknown): boolean {
  if (typeof schema === 'string') return schema in Object.prototype;
  if (typeof schema !== 'object' || schema === null) return false;
  const names = Array.isArray(schema) ? [] : Object.keys(schema);
  return names.some((name) => name in Object.prototype) || Object.values(schema).some(namesInherited);
}

/**
 * Converts a schema for Ajv: references point into `$defs`, identifiers and annotations are removed, and numbers,
 * objects and lengths have our own keywords.
 */
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
