/**
 * The judge of messages: Ajv, compiled from a schema with keywords of our own for exact numbers, objects and lengths
 * (docs/decisions/004 and docs/decisions/192). It says whether a value is good, not what is wrong with it.
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

/** Says of a value whether it is good; `errors` holds what it found first, in its own words. */
export type AjvValidator = ValidateFunction;

/** Compiles the schema `root`, of which the references name one of `names`. @throws Error for a reference to nothing or an unknown format. */
export function compileWithAjv(root: Schema, names: ReadonlyMap<string, Schema>): AjvValidator {
  const $defs = Object.fromEntries([...reachable(root, names)].map(([name, one]) => [name, forAjv(one)]));
  const whole = { ...forAjv(root), $defs };
  return (namesInherited(whole) ? carefulAjv : ajv).compile(whole);
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
/** For schemas with fields that every object inherits: asks of each field whether the object has it itself, which costs half as much again. */
const carefulAjv = new Ajv({ ...AJV_OPTIONS, ownProperties: true });

/** Whether a schema has, anywhere, a name such as `constructor`. */
function namesInherited(schema: unknown): boolean {
  if (typeof schema === 'string') return schema in Object.prototype;
  if (typeof schema !== 'object' || schema === null) return false;
  const names = Array.isArray(schema) ? [] : Object.keys(schema);
  return names.some((name) => name in Object.prototype) || Object.values(schema).some(namesInherited);
}

/** The schema as Ajv checks it: references into `$defs`, no identifiers, no annotations, own keywords for numbers, objects and lengths. */
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
