/**
 * `npx node scripts/citus.ts [--campaigns model,race] [--seed 1]`: a coordinator and two workers of Citus on this machine,
 * the tables spread by `backroom schema --distribute citus`, and the campaign `model` on them; afterwards `doctor` looks at the
 * database. Exit 2 where the PostgreSQL of this machine has no Citus (docs/scale.md says how to build it).
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { randomOf } from '../proof/campaign.ts';
import { model } from '../proof/model.ts';
import { SECRET } from '../proof/support/process.ts';
import { loadConfig } from '../src/platform/config.ts';
import { citusStatements } from '../src/platform/storage/distribute.ts';
import { examine } from '../src/service/cli/doctor.ts';
import { migrate } from '../src/service/migrate.ts';
import { PostgresServer } from './postgres-server.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
  },
});

const library = `${execFileSync('pg_config', ['--pkglibdir'], { encoding: 'utf8' }).trim()}/citus.so`;
if (!existsSync(library)) {
  console.error(`There is no Citus on this machine (${library}): docs/scale.md says how to build it.`);
  process.exit(2);
}
const nodes: PostgresServer[] = [];
try {
  for (let node = 0; node < 3; node += 1) nodes.push(await startNode());
  const [coordinator] = nodes;
  const version = await ask(
    coordinator!.url,
    "select default_version from pg_available_extensions where name = 'citus'",
  );
  console.log(`${coordinator!.version}, Citus ${String(version)}`);
  process.exitCode = (await run(Number(values.count))) === 0 ? 0 : 1;
} finally {
  for (const node of nodes) await node.remove();
}

function startNode(): Promise<PostgresServer> {
  return PostgresServer.start({
    settings: {
      shared_preload_libraries: 'citus',
      'citus.shard_count': 8,
      'citus.node_conninfo': 'sslmode=prefer',
      'citus.enable_version_checks': 'off',
      max_connections: 300,
      wal_level: 'logical',
    },
  });
}

/** Runs the campaign on a new spread database; returns how many failures there were, of the campaign and of doctor. */
async function run(count: number): Promise<number> {
  const url = await spreadDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'backroom-citus-'));
  let [done, failed] = [0, 0];
  try {
    await model.run({
      engine: 'postgres',
      seed: Number(values.seed),
      count,
      planted: false,
      bug: undefined,
      random: randomOf(Number(values.seed)),
      database: () => Promise.resolve(url),
      folder: () => mkdtempSync(join(folder, 'room-')),
      done: (cases = 1) => {
        done += cases;
      },
      fail: (what) => {
        failed += 1;
        console.log(`failure: ${what.slice(0, 2_000)}`);
      },
      figure: () => undefined,
      enough: () => false,
      say: (line) => console.error(line),
    });
    console.log(`${done} ${model.unit}, ${failed} failures; ${await spreadRows(url)} rows on shards`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // A campaign that did nothing has not passed.
  return failed + (await faultsOf(url)) + (done === 0 ? 1 : 0);
}

/** A new database on every node, with the schema of this program spread over them. */
async function spreadDatabase(): Promise<string> {
  const name = `backroom_citus_${randomBytes(6).toString('hex')}`;
  const urls: string[] = [];
  for (const node of nodes) {
    await ask(node.url, `create database ${name}`);
    const url = new URL(node.url);
    url.pathname = `/${name}`;
    await ask(url.href, 'create extension citus');
    urls.push(url.href);
  }
  const [coordinator, ...workers] = urls;
  await ask(coordinator!, `select citus_set_coordinator_host('127.0.0.1', ${new URL(coordinator!).port})`);
  for (const worker of workers) await ask(coordinator!, `select citus_add_node('127.0.0.1', ${new URL(worker).port})`);
  await migrate(coordinator!, { now: () => 0 });
  await ask(coordinator!, citusStatements());
  return coordinator!;
}

/** Rows of orders and events, whose tables must lie on several shards. */
async function spreadRows(url: string): Promise<number> {
  const shards = await ask(url, `select count(*) from citus_shards where table_name = 'fulfillment_orders'::regclass`);
  if (Number(shards) < 2) throw new Error('The table of orders is not spread.');
  return Number(await ask(url, 'select (select count(*) from fulfillment_orders) + (select count(*) from events)'));
}

async function faultsOf(url: string): Promise<number> {
  const found = await examine(loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: SECRET }), Date.now());
  // Of servers that are made for tests doctor says that they may lose what they say is written.
  const wrong = found.filter(({ ok, check }) => !ok && check !== 'durability');
  for (const { check, found: what } of wrong) console.log(`doctor, ${check}: ${what}`);
  return wrong.length;
}

/** The first value of the first row. */
async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = (await client.query(text)) as unknown as { rows: Record<string, unknown>[] | undefined };
    return Object.values(rows?.[0] ?? {})[0];
  } finally {
    await client.end();
  }
}
