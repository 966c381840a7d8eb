/**
 * All statements of the interface with their tests: every file of statements/ adds its list. `tables` names the rows that
 * must be among them; scripts/check-statements.ts holds the two against each other and against the tests that exist.
 */
import { readdirSync } from 'node:fs';
import type { Statement } from './statements/statement.ts';

const folder = new URL('./statements/', import.meta.url);
const HELPERS = new Set(['statement.ts', 'tables.ts']);

interface SliceStatements {
  /** Name of the file, without its ending. */
  slice: string;
  statements: readonly Statement[];
}

/** The lists by file, in the order of their names. */
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

/** Section or field as it is compared: letters and digits only, without case; a leading number of an endpoint is dropped. */
export function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\d+\. /, '')
    .replace(/\[\]/g, '')
    .replace(/[^a-z0-9]+/g, '');
}
