import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/platform/http/operation.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { contents, operations, schemas } from '../../src/service/operations.ts';
import { buildOpenApi } from '../../src/service/web/openapi.ts';
import { type Call, operationOf } from '../support/backroom.ts';
import { examplesOf, requestOf } from '../support/examples.ts';
import { openTown } from '../support/town.ts';

/**
 * A schema of the OpenAPI document. These tests send strings at its limits: the service and the document must accept
 * the same strings.
 */
interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
}

const document = JSON.parse(JSON.stringify(buildOpenApi({ contents, schemas, version: '0' }))) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
};

const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addFormat('identifier', /^(?!\.{1,2}$)[^\p{Cc}\p{Cf}]*$/u);
const judges = new Map<string, ValidateFunction>();

/** Returns whether a schema of the document accepts a value. */
function documentTakes(schema: Schema, value: string): boolean {
  const key = JSON.stringify(schema);
  const judge = judges.get(key) ?? ajv.compile(schema);
  judges.set(key, judge);
  return judge(value);
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!);
}

const typesOf = ({ type }: Schema) => [type ?? []].flat();

/** Returns the branches of a schema, without the branch for null. */
function branchesOf(schema: Schema): Schema[] {
  const plain = resolved(schema);
  return (plain.anyOf?.flatMap(branchesOf) ?? [plain]).filter((branch) => typesOf(branch).join() !== 'null');
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toFixed' in value);

interface Leaf {
  pointer: string;
  schema: Schema;
  /** Returns the body with this value in place of the string. */
  with: (value: string) => unknown;
}

const DEEPEST = 9;

/** Every string of the schema, each in a body with all required fields. */
function* leavesOf(given: Schema, sample: unknown, pointer = '', seen: readonly Schema[] = []): Generator<Leaf> {
  const branches = branchesOf(given);
  const branch = branches.find((one) => fits(one, sample)) ?? branches[0]!;
  // An item may contain an item. One level of nesting is enough.
  if (seen.length > DEEPEST || seen.filter((one) => one === branch).length > 1) return;
  const within = [...seen, branch];
  if (typesOf(branch).includes('string')) {
    yield { pointer, schema: { anyOf: branches }, with: (value) => value };
    return;
  }
  if (typesOf(branch).includes('array')) {
    const list = Array.isArray(sample) && sample.length > 0 ? (sample as unknown[]) : [leastOf(branch.items ?? {})];
    for (const leaf of leavesOf(branch.items ?? {}, list[0], `${pointer}/0`, within)) {
      yield { ...leaf, with: (value) => [leaf.with(value), ...list.slice(1)] };
    }
    return;
  }
  if (!typesOf(branch).includes('object')) return;
  const object = isObject(sample) ? sample : (leastOf(branch) as Json);
  for (const [name, member] of Object.entries(branch.properties ?? {})) {
    for (const leaf of leavesOf(member, object[name], `${pointer}/${name}`, within)) {
      yield { ...leaf, with: (value) => ({ ...object, [name]: leaf.with(value) }) };
    }
  }
}

function isSpelledAs(branch: Schema, sample: unknown): boolean {
  return isObject(sample) && Object.keys(sample).every((name) => name in (branch.properties ?? {}));
}

function fits(branch: Schema, sample: unknown): boolean {
  if (Array.isArray(sample)) return typesOf(branch).includes('array');
  if (!isObject(sample)) return typesOf(branch).includes(typeof sample);
  if (!typesOf(branch).includes('object') || !(branch.required ?? []).every((name) => name in sample)) return false;
  return Object.entries(branch.properties ?? {}).every(
    ([name, { enum: values }]) => values === undefined || !(name in sample) || values.includes(sample[name]),
  );
}

/** Returns a small value that a schema accepts: required fields only, and texts and lists of the minimum length. */
function leastOf(given: Schema): unknown {
  const [schema = {}] = branchesOf(given);
  if (schema.enum !== undefined) return schema.enum[0];
  const [type] = typesOf(schema);
  if (type === 'string') return 'x'.repeat(schema.minLength ?? 0);
  if (type === 'boolean') return false;
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => leastOf(schema.items ?? {}));
  if (type !== 'object') return 1;
  return Object.fromEntries((schema.required ?? []).map((name) => [name, leastOf(schema.properties?.[name] ?? {})]));
}

function edgesOf(schema: Schema): string[] {
  const [{ minLength = 0, maxLength = 0 } = {}] = schema.anyOf!.filter((branch) => typesOf(branch).includes('string'));
  return [
    '',
    ' ',
    'é',
    'x'.repeat(Math.max(1, minLength)),
    ...(minLength > 1 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength > 0 && maxLength <= 4_000 ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)] : []),
  ];
}

/** Rules that the document can express. All other rules depend on the client's data or on other fields. */
const FORM = /^(?:minLength|maxLength|pattern|format|type|const|required|FORM)$/;

/** Returns the rules of the errors at this pointer. */
function rulesAt(body: unknown, pointer: string): string[] {
  const { errors = [], poAsnData } = (body ?? {}) as {
    errors?: { pointer: string; rule: string }[];
    poAsnData?: { errors: { code: string; message: string }[] }[];
  };
  const inbound = (poAsnData?.[0]?.errors ?? []).map(({ code, message }) => ({
    pointer: /\[(\/[^\]]*)\]$/.exec(message)?.[1] ?? '',
    rule: code === 'FILE_VALIDATION_FAILED' && !message.includes('send the same ') ? 'FORM' : code,
  }));
  return [...errors, ...inbound].filter((one) => one.pointer === pointer).map(({ rule }) => rule);
}

const cases = operations.flatMap((operation): [string, Operation, Schema][] => {
  // Session operations need the cookie of a browser; test/people tests these operations.
  if (operation.path.startsWith('/session')) return [];
  // Printing needs a printer (test/work/print.test.ts). Labels need a label program (test/packing/label.test.ts).
  if (operation.id === 'printLabels' || operation.id === 'buyPackageLabel') return [];
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
  const schema = described?.requestBody?.content['application/json']?.schema;
  return schema === undefined ? [] : [[operation.id, operation, schema]];
});

// The schemas of the document refer to each other, so the validators need the whole document.
ajv.addSchema({ $id: 'document', components: document.components });
const inDocument = (schema: Schema) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as Schema;

describe('the document and the service agree on strings at their limits', () => {
  it.each(cases)('%s', async (_id, operation, schema) => {
    const town = await openTown();
    const examples = examplesOf(operation.id)
      .filter(({ reply, request }) => reply.status < 300 && request.body !== undefined)
      .filter(({ request }) => operationOf(request.method, request.path) === operation)
      .map((example) => requestOf(town, example) as Call & { body: unknown });
    // An operation may accept several spellings; the schema has one of them.
    const call =
      examples.find(({ body }) => branchesOf(schema).some((branch) => isSpelledAs(branch, body))) ?? examples[0]!;
    const disagreements: string[] = [];
    for (const leaf of leavesOf(schema, call.body)) {
      for (const edge of edgesOf(leaf.schema)) {
        const takes = documentTakes(inDocument(leaf.schema), edge);
        const answer = await town.call({ ...call, body: leaf.with(edge) });
        const rules = rulesAt(answer.body, leaf.pointer);
        const what = `${leaf.pointer} = ${stringifyJson(edge.length > 20 ? `${edge.length} characters` : edge)}`;
        // The empty string is never a valid id or list value, so a rejection by any rule counts.
        const isRejected = rules.some((rule) => edge === '' || FORM.test(rule));
        if (takes && isRejected) disagreements.push(`${what}: only the document accepts it (${rules.join()})`);
        if (!takes && rules.length === 0) {
          disagreements.push(`${what}: only the service accepts it (${answer.status} ${answer.text.slice(0, 120)})`);
        }
      }
    }
    expect(disagreements).toEqual([]);
    await town.close();
  });
});
