/** The programs that upgrades begin and end with: released ones, built from the history, this one, and a next one. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownSchema } from '../../src/platform/storage/migration.ts';
import { needed } from '../../src/platform/storage/rolling.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/backroom-releases');
/** This program as it is built, else its sources. */
const PROGRAM = process.env['PROOF_PROGRAM'];
const SOURCES = 'src/main.ts';

/** Every released version, and the commit or tag that it was made from. */
export const RELEASES: Readonly<Record<string, string>> = {
  '0.1.0': '03f3edd',
  '0.2.0': 'e840649',
};

/** A program that can be started with Node.js. */
export interface Program {
  name: string;
  main: string;
  /** The last migration that it knows. */
  schema: number;
  /** Its version, where it is released: then there is a database that it left. */
  released?: string;
}

/** What the campaign needs and cannot have here; the message says why. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

export const today: Program = {
  name: 'this version',
  main: resolve(PROGRAM ?? join(ROOT, SOURCES)),
  schema: ownSchema(),
};

/** Whether `from` may serve while `to` migrates, and beside it. */
export function isRolling(from: Program, to: Program): boolean {
  const missing = Array.from({ length: to.schema - from.schema }, (_, index) => from.schema + 1 + index);
  return needed(missing) <= from.schema;
}

/**
 * The program of a release as its package has it, built once by its own build with the libraries of its own lock.
 * @throws NotHere where the history does not reach so far, or its libraries cannot be had.
 */
export function release(version: string): Program {
  const commit = RELEASES[version];
  if (commit === undefined) throw new Error(`Releases are ${Object.keys(RELEASES).join(', ')}.`);
  const home = join(CACHE, `${version}-${commit}`);
  if (!existsSync(home)) build(version, commit, home);
  const schema = readdirSync(join(home, 'dist/migrations')).filter((file) => file.endsWith('.sql')).length;
  return { name: version, main: join(home, 'dist/main.js'), schema, released: version };
}

function build(version: string, commit: string, home: string): void {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status !== 0) {
    throw new NotHere(
      `the history of this checkout does not have ${commit}, from which ${version} was made (git fetch --unshallow --tags)`,
    );
  }
  const work = mkdtempSync(join(tmpdir(), 'backroom-release-'));
  try {
    execFileSync('tar', ['-x', '-C', work], {
      input: execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 28 }),
    });
    const install = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: work, encoding: 'utf8' });
    if (install.status !== 0) throw new NotHere(`npm ci of ${version} failed: ${install.stderr.slice(-500)}`);
    const links = borrowTools(work);
    execFileSync(process.execPath, ['scripts/build.ts'], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const link of links) rmSync(link);
    mkdirSync(CACHE, { recursive: true });
    // Beside its place first: a build that is broken off leaves no half of a program.
    const half = mkdtempSync(join(CACHE, 'new-'));
    const { files } = JSON.parse(readFileSync(join(work, 'package.json'), 'utf8')) as { files: string[] };
    for (const name of ['package.json', 'node_modules', ...files]) {
      if (existsSync(join(work, name)))
        cpSync(join(work, name), join(half, name), { recursive: true, verbatimSymlinks: true });
    }
    renameSync(half, home);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What builds a release is of no weight for how it serves, so the tools are those of this checkout. Returns the links to them. */
function borrowTools(work: string): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(work, 'package.json'), 'utf8')) as {
    devDependencies: object;
  };
  return Object.keys(devDependencies).flatMap((name) => {
    const [own, link] = [join(ROOT, 'node_modules', name), join(work, 'node_modules', name)];
    if (!existsSync(own) || existsSync(link)) return [];
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(own, link);
    return [link];
  });
}

/** Older programs go on beside it: every table has one more column. */
const ADDS = () =>
  [
    ...tableNames().map((table) => `alter table ${table} add column next_note text;`),
    'create table next_things (\n  client_id text not null,\n  id text not null,\n  primary key (client_id, id)\n) strict;',
    'create index next_items on items (client_id, next_note);',
  ].join('\n');

/** Nothing writes the column, and it has no default: every ASN and PO fails. PostgreSQL only. */
const BREAKS = `alter table inbound_shipments add column next_dock integer not null default 0;
alter table inbound_shipments alter column next_dock drop default;`;

/** This program with one more migration, in a folder of its own; `breaks`: with one that breaks what serves and does not say so. */
export function next(folder: string, { breaks = false } = {}): Program {
  const home = mkdtempSync(join(folder, 'next-'));
  const [program, migrations] =
    PROGRAM === undefined ? ['src', 'src/platform/storage/migrations'] : ['dist', 'dist/migrations'];
  for (const name of [program, 'scripts/require-node.cjs', 'contract', 'docs', 'package.json', 'CHANGELOG.md']) {
    cpSync(join(ROOT, name), join(home, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  const schema = ownSchema() + 1;
  writeFileSync(join(home, migrations, `${String(schema).padStart(3, '0')}-next.sql`), breaks ? BREAKS : ADDS());
  return {
    name: breaks ? 'a next version that breaks this one' : 'the next version',
    main: join(home, PROGRAM === undefined ? SOURCES : 'dist/main.js'),
    schema,
  };
}
