/**
 * Loads a mapping: a module that exports `mapping`, with functions that turn the rows of a file into messages of the
 * service. Without a mapping, a JSON row is the message itself, and CSV has one column per field
 * (docs/interface.md#item-writes).
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mapping } from './mapping-api.ts';

export const IMPORT_KINDS = [
  'items',
  'orders',
  'nodes',
  'node-items',
  'users',
  'inbound',
  'stock',
] as const satisfies readonly Mapping['kind'][];
export type ImportKind = (typeof IMPORT_KINDS)[number];

export interface LoadedMapping {
  mapping: Mapping<unknown>;
  /**
   * SHA-256 over the texts of the module and of all modules that it imports, also indirectly, by a path that begins
   * with `./`.
   */
  hash: string;
}

/** Loads a mapping module. @throws Error if the module exports no mapping, or a mapping of another kind. */
export async function loadMapping(path: string, kind: ImportKind): Promise<LoadedMapping> {
  const file = resolve(path);
  const texts = new Map<string, string>();
  await collect(file, texts);
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw isReadAsCommonJs(error) ? new Error(`${path} ${ASKS_FOR_MODULES}`, { cause: error }) : error;
  })) as { mapping?: Mapping<unknown> };
  const { mapping } = module;
  if (typeof mapping?.build !== 'function') {
    throw new Error(
      `${path} is not a mapping: it must export \`mapping\` with \`kind\` and \`build\` (docs/importing.md).`,
    );
  }
  if (mapping.kind !== kind) throw new Error(`${path} is a mapping for ${mapping.kind}, not for ${kind}.`);
  const hash = createHash('sha256');
  for (const [name, text] of [...texts].sort()) hash.update(`${name.slice(dirname(file).length)}\0${text}\0`);
  return { mapping, hash: hash.digest('hex') };
}

const ASKS_FOR_MODULES =
  'is an ES module, but the package.json of its folder, or of a folder above, says that files are CommonJS. Name the file .mts or .mjs, or put a package.json with "type": "module" next to it.';

/** Whether Node.js has read an ES module as CommonJS, the type that `npm init` writes into package.json. */
function isReadAsCommonJs(error: unknown): boolean {
  return (
    error instanceof SyntaxError && /import statement outside a module|Unexpected token 'export'/.test(error.message)
  );
}

async function collect(file: string, texts: Map<string, string>): Promise<void> {
  if (texts.has(file)) return;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`There is no mapping ${file}.`);
  texts.set(file, text);
  for (const [, path] of text.matchAll(/^import (?!type )[^'"]*['"](\.\/[^'"]+)['"]/gm)) {
    await collect(resolve(dirname(file), path!), texts);
  }
}
