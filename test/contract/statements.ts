/**
 * All statements about the interface with their tests, from the files of statements/. `tables` of
 * town/interface-tables.ts has the rows that need a statement. test/contract/check-statements.ts compares both with
 * each other and with the existing tests.
 */
import { readdirSync } from 'node:fs';
import type { Statement } from './statements/statement.ts';

const folder = new URL('./statements/', import.meta.url);
const HELPERS = new Set(['statement.ts']);

interface SliceStatements {
  /** Name of the file without its extension. */
  slice: string;
  statements: readonly Statement[];
}

/** The lists of all files, sorted by file name. */
const statementsBySlice: readonly SliceStatements[] = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !HELPERS.has(file))
    .sort()
    .map(async (file) => {
      const module = (await import(new URL(file, folder).href)) as Record<string, readonly Statement[]>;
      return { slice: file.slice(0, -3), statements: Object.values(module).flat() };
    }),
);

export const statements: readonly Statement[] = statementsBySlice.flatMap((slice) => slice.statements);

/**
 * Returns a section or field in the form for comparisons: lower-case letters and digits, without the leading number of
 * an endpoint.
 */
export function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\d+\. /, '')
    .replace(/\[\]/g, '')
    .replace(/[^a-z0-9]+/g, '');
}
