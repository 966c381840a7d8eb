/**
 * The programs of upgrades: released versions, which are built from the git history, this version, and a next version.
 */
import { cpSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownSchema } from '../../src/platform/storage/migration.ts';
import { needed } from '../../src/platform/storage/rolling.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';
import { checkoutOf } from '../../town/releases.ts';
import { mainProgram } from '../../town/service-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A program that can be started with Node.js. */
export interface Program {
  name: string;
  main: string;
  /** Number of the program's last migration. */
  schema: number;
  /**
   * Version of a released program; undefined for other programs. `test/upgrade/` has a database of each released
   * version.
   */
  released?: string;
}

export const today = (): Program => ({ name: 'this version', main: mainProgram(), schema: ownSchema() });

/** Returns whether `from` can serve during the migration to the schema of `to`, and while `to` also serves. */
export function isRolling(from: Program, to: Program): boolean {
  const missing = Array.from({ length: to.schema - from.schema }, (_, index) => from.schema + 1 + index);
  return needed(missing) <= from.schema;
}

/** Returns the program of a released version. @throws NotHere if the version is not available. */
export function release(version: string): Program {
  const dist = join(checkoutOf(version), 'dist');
  const schema = readdirSync(join(dist, 'migrations')).filter((file) => file.endsWith('.sql')).length;
  return { name: version, main: join(dist, 'main.js'), schema, released: version };
}

/**
 * Returns a migration with which older programs can work. It adds a column to every table, one new table, and one
 * index.
 */
const ADDS = () =>
  [
    ...tableNames().map((table) => `alter table ${table} add column next_note text;`),
    'create table next_things (\n  client_id text not null,\n  id text not null,\n  primary key (client_id, id)\n) strict;',
    'create index next_items on items (client_id, next_note);',
  ].join('\n');

/**
 * A migration that breaks older programs: they do not write the new column, which has no default, so every new ASN and
 * PO fails. PostgreSQL only.
 */
const BREAKS = `alter table inbound_shipments add column next_dock integer not null default 0;
alter table inbound_shipments alter column next_dock drop default;`;

/**
 * Returns this program with one more migration, in a separate folder. With `breaks`, the migration breaks older
 * programs but does not declare this.
 */
export function next(folder: string, { breaks = false } = {}): Program {
  const home = mkdtempSync(join(folder, 'next-'));
  const dist = join(home, 'dist');
  cpSync(dirname(mainProgram()), dist, { recursive: true });
  for (const name of ['scripts', 'contract', 'docs', 'package.json', 'CHANGELOG.md', 'node_modules']) {
    symlinkSync(join(ROOT, name), join(home, name));
  }
  const schema = ownSchema() + 1;
  writeFileSync(join(dist, 'migrations', `${String(schema).padStart(3, '0')}-next.sql`), breaks ? BREAKS : ADDS());
  return {
    name: breaks ? 'a next version that breaks this one' : 'the next version',
    main: join(dist, 'main.js'),
    schema,
  };
}
