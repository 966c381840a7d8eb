/**
 * How rows of a file become messages of the service. Without a mapping a row is the message itself: JSON as it stands, CSV
 * with one column per member (decisions, table C: CSV columns). A mapping is a module that exports `mapping`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NodePut } from '../provisioning/schema.ts';
import type { Reason } from './rows.ts';

export const IMPORT_KINDS = ['items', 'orders', 'nodes', 'node-items'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A node as a mapping sees it. */
export interface MappedNode extends Pick<NodePut, 'name' | 'nodeType' | 'address' | 'phone' | 'fulfillmentTypes'> {
  nodeId: string;
}

/** What a mapping may know of the installation. It is read once, before the first row. */
export interface MappingContext {
  clientId: string;
  /** Of the store given with `--store`; else undefined. */
  storeId: string | undefined;
  currency: string | undefined;
  /** The store's catalog, else the client's first. */
  catalogId: string;
  /** Nodes of the client, sorted by nodeId. */
  nodes: readonly MappedNode[];
}

/** `Row` is the object of a row: CSV columns as texts, or the JSON value. The functions are pure: same rows, same result. */
export interface Mapping<Row = Record<string, string>> {
  kind: ImportKind;
  /**
   * Rows that follow each other and have the same group make one message; without it each row makes one. For orders, line
   * n of the message must be row n of the group: so a fault of a line refuses its row alone, and the rest goes in.
   */
  group?: (row: Row) => string;
  /** Why a row is refused by itself; the first reason is the one that is counted. `first` is the first row of its group. */
  refuse?: (row: Row, first: Row) => readonly Reason[];
  /** The message of the rows that were not refused; at least one. What it throws refuses them. */
  build: (rows: readonly Row[], context: MappingContext) => unknown;
  /**
   * Items that exist already: `replace` (default) overwrites them, `fill` only adds members they lack, so that the first
   * row that tells something decides.
   */
  existing?: 'replace' | 'fill';
}

/** Names the type of a mapping's rows. */
export function defineMapping<Row = Record<string, string>>(mapping: Mapping<Row>): Mapping<Row> {
  return mapping;
}

export interface LoadedMapping {
  mapping: Mapping<unknown>;
  /** SHA-256 over the text of the module and of the modules it imports by a relative path. */
  hash: string;
}

/** Loads a mapping module. @throws Error with a sentence when it is none, or is for another kind. */
export async function loadMapping(path: string, kind: ImportKind): Promise<LoadedMapping> {
  const file = resolve(path);
  const texts = new Map<string, string>();
  await collect(file, texts);
  const module = (await import(pathToFileURL(file).href)) as { mapping?: Mapping<unknown> };
  const { mapping } = module;
  if (typeof mapping?.build !== 'function') {
    throw new Error(
      `${path} is no mapping: it must export \`mapping\` with \`kind\` and \`build\` (docs/importing.md).`,
    );
  }
  if (mapping.kind !== kind) throw new Error(`${path} is a mapping of ${mapping.kind}, not of ${kind}.`);
  const hash = createHash('sha256');
  for (const [name, text] of [...texts].sort()) hash.update(`${name.slice(dirname(file).length)}\0${text}\0`);
  return { mapping, hash: hash.digest('hex') };
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
