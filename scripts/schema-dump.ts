/**
 * Writes src/platform/storage/schema.sql, the complete schema that the migrations create, so that reviewers can read
 * it. With --check it writes nothing and exits with 1 if the file is stale.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openStore } from '../src/platform/storage/db.ts';
import { migrate } from '../src/service/migrate.ts';

const FILE = new URL('../src/platform/storage/schema.sql', import.meta.url);
const COMMAND = 'npx node scripts/schema-dump.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-schema-'));
try {
  const schema = await dump(`sqlite:${join(folder, 'schema.db')}`);
  if (!process.argv.includes('--check')) writeFileSync(FILE, schema);
  else if (committed() !== schema) {
    console.error(`src/platform/storage/schema.sql differs from the schema of the migrations. Run: ${COMMAND}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function dump(url: string): Promise<string> {
  await migrate(url, { now: () => 0 });
  const store = await openStore(url);
  try {
    // Each table is printed before its indexes.
    const { rows } = await store.read((db) =>
      sql<{ sql: string }>`select sql from sqlite_schema where sql is not null and name not like 'sqlite|_%' escape '|'
        order by tbl_name, type = 'table' desc, type, name`.execute(db),
    );
    // SQLite quotes the name of a table that was renamed. The quotes are removed.
    return [`-- Generated from migrations/ by: ${COMMAND}`, ...rows.map((row) => `${row.sql.replaceAll('"', '')};`)]
      .join('\n\n')
      .concat('\n');
  } finally {
    await store.close();
  }
}

function committed(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return '';
  }
}
