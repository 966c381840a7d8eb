import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTs, { astToString } from 'openapi-typescript';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/platform/http/operation.ts';
import { clockStops, type Stop, tourStops } from '../../src/service/demo/tour.ts';
import { operationNamed, operations } from '../../src/service/operations.ts';
import { listenTown } from '../docs/listening.ts';
import { NOON } from '../support/backroom.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// The folder is below node_modules, so that the generated code finds the libraries that it imports.
const CACHE = join(ROOT, 'node_modules/.cache');
let folder: string;
beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'clients-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Secrets {
  url: string;
  apiKey: string;
  basic: string;
  operatorKey: string;
}

/** Runs a program and returns the status of each of its calls. */
type Run = (secrets: Secrets) => Promise<number[]>;

/** A public generator of clients. Each stop of the tour becomes one call of the generated client. */
interface Generator {
  generate: (into: string) => Promise<void>;
  /** The beginning of the program: imports and definitions for its calls. */
  head: (used: readonly string[]) => string;
  call: (operation: Operation, stop: Stop) => string;
}

const SECRETS = '{ url: string; apiKey: string; basic: string; operatorKey: string }';

const GENERATORS: Record<string, Generator> = {
  '@hey-api/openapi-ts': {
    generate: async (into) => {
      await createClient({
        input: JSON.parse(readFileSync(join(ROOT, 'contract/openapi.json'), 'utf8')),
        output: into,
        plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
        logs: { level: 'silent' },
      });
    },
    head: (used) => `
import { createClient } from './made/client/index';
import { ${used.join(', ')} } from './made/index';
export async function run({ url, apiKey, basic, operatorKey }: ${SECRETS}): Promise<number[]> {
  const statuses: number[] = [];
  const done = ({ response }: { response?: Response }) => void statuses.push(response?.status ?? 0);
  const asClient = createClient({
    baseUrl: url,
    auth: ({ type, scheme }) => (type === 'apiKey' ? apiKey : scheme === 'basic' ? basic : undefined),
  });
  const asOperator = createClient({ baseUrl: url, auth: ({ scheme }) => (scheme === 'bearer' ? operatorKey : undefined) });`,
    call: (operation, stop) => {
      const parts = [
        `client: ${operation.access.auth === 'operator' ? 'asOperator' : 'asClient'}`,
        ...valuesOf(operation, stop),
        ...(stop.body === undefined ? [] : [`body: ${JSON.stringify(stop.body)}`]),
        ...(stop.csv === undefined
          ? []
          : [`body: { filename: new File([${csvOf(stop)}], 'items.csv', { type: 'text/csv' }) }`]),
        ...(stop.x12 === undefined ? [] : [`body: ${JSON.stringify(stop.x12)}, bodySerializer: null`]),
      ];
      return `done(await ${operation.id}({ ${parts.join(', ')} }));`;
    },
  },
  'openapi-typescript with openapi-fetch': {
    generate: async (into) => {
      mkdirSync(into);
      const made = await openapiTs(pathToFileURL(join(ROOT, 'contract/openapi.json')), { silent: true });
      writeFileSync(join(into, 'schema.d.ts'), astToString(made));
    },
    head: () => `
import createClient from 'openapi-fetch';
import type { paths } from './made/schema';
export async function run({ url, apiKey, basic, operatorKey }: ${SECRETS}): Promise<number[]> {
  const statuses: number[] = [];
  const done = ({ response }: { response: Response }) => void statuses.push(response.status);
  const asClient = createClient<paths>({ baseUrl: url, headers: { apiKey, authorization: \`Basic \${btoa(basic)}\` } });
  const asOperator = createClient<paths>({ baseUrl: url, headers: { authorization: \`Bearer \${operatorKey}\` } });
  const form = ({ filename }: { filename: string }) => {
    const data = new FormData();
    data.append('filename', new File([filename], 'items.csv', { type: 'text/csv' }));
    return data;
  };`,
    call: (operation, stop) => {
      const parts = [
        `params: { ${valuesOf(operation, stop).join(', ')} }`,
        ...(operation.id === 'readEdiContent' || operation.message.produces === 'lines' ? [`parseAs: 'text'`] : []),
        ...(stop.body === undefined ? [] : [`body: ${JSON.stringify(stop.body)}`]),
        ...(stop.csv === undefined ? [] : [`body: { filename: ${csvOf(stop)} }, bodySerializer: form`]),
        ...(stop.x12 === undefined
          ? []
          : [
              `body: ${JSON.stringify(stop.x12)}, bodySerializer: String, headers: { 'content-type': 'application/edi-x12' }`,
            ]),
      ];
      const client = operation.access.auth === 'operator' ? 'asOperator' : 'asClient';
      return `done(await ${client}.${operation.method}('${operation.path}', { ${parts.join(', ')} }));`;
    },
  },
};

function csvOf(stop: Stop): string {
  return JSON.stringify(stop.csv!.replaceAll('\\n', '\n'));
}

/** Returns the path variables and query parameters of a stop, as fields of an object literal. */
function valuesOf(operation: Operation, stop: Stop): string[] {
  const [segments = '', query = ''] = stop.path.split('?');
  const sent = segments.split('/');
  const variables = operation.path
    .split('/')
    .flatMap((segment, index) => (segment.startsWith('{') ? [[segment.slice(1, -1), sent[index]!] as const] : []));
  return Object.entries({ path: variables, query: queryOf(operation, query) })
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${JSON.stringify(Object.fromEntries(values))}`);
}

/** Returns the query parameters; whole numbers become numbers, because the document declares them as numbers. */
function queryOf({ message }: Operation, query: string): (readonly [string, string | number])[] {
  const { properties = {} } = (message.query ?? {}) as { properties?: Record<string, object> };
  return [...new URLSearchParams(query)].map(([name, value]) => {
    return [name, 'x-whole' in (properties[name] ?? {}) ? Number(value) : value] as const;
  });
}

function operationOf(stop: Stop): Operation {
  return operationNamed(stop.operationId);
}

/** Returns the compiler's errors in a program and in the client that it imports. */
function compilerErrors(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at, start }) => {
    const line = at === undefined ? '' : `${at.fileName}:${at.getLineAndCharacterOfPosition(start ?? 0).line + 1} `;
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}

/** Bundles the program to JavaScript and imports it. */
async function load(file: string): Promise<Run> {
  const build = await rolldown({ input: file });
  const out = file.replace(/\.ts$/, '.mjs');
  await build.write({ file: out, format: 'esm' });
  await build.close();
  const { run } = (await import(out)) as { run: Run };
  return run;
}

/**
 * Operations for programs with a key, except those that need an enrolled device, a printer, a label program or a
 * receiver.
 */
const keyed = operations.filter(
  ({ id, access: { auth } }) =>
    !['session', 'browser', 'none'].includes(auth) &&
    !['revokeDevice', 'unlockDevice', 'printLabels', 'buyPackageLabel', 'testWebhook'].includes(id),
);

describe('a client generated from the document', () => {
  it.each(Object.entries(GENERATORS))(
    'by %s compiles under strict and runs the tour',
    async (name, { generate, head, call }) => {
      const { town, env } = await listenTown();
      const spare = await town.credential();
      const stops = [...tourStops(town, NOON, spare.secrets), ...clockStops()];
      const home = mkdtempSync(join(folder, 'client-'));
      await generate(join(home, 'made'));
      const used = [...new Set(stops.map(({ operationId }) => operationId))];
      const program = join(home, 'tour.ts');
      const calls = stops.map((stop) => `  ${call(operationOf(stop), stop)}`);
      writeFileSync(program, [head(used), ...calls, '  return statuses;', '}', ''].join('\n'));
      expect(compilerErrors(program), name).toEqual([]);
      const run = await load(program);
      const statuses = await run({
        url: env.BASE,
        apiKey: env.API_KEY,
        basic: env.BASIC,
        operatorKey: env.OPERATOR_KEY,
      });
      const rejected = stops.filter((_stop, index) => !(statuses[index]! >= 200 && statuses[index]! < 300));
      expect({ name, rejected }).toEqual({ name, rejected: [] });
      expect(used.sort()).toEqual(keyed.map(({ id }) => id).sort());
      await town.close();
    },
  );
});
