/** Checks of a PostgreSQL server, in addition to the checks that prevent a start of the service. */
import { TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Config } from '../../platform/config.ts';
import { clockOffset } from '../../platform/storage/clock.ts';
import { type Store, useStore } from '../../platform/storage/db.ts';
import { connectAlone, postgresSettings } from '../../platform/storage/postgres-connection.ts';
import { HAS_CATALOG, SPREAD_TABLES } from '../../platform/storage/spread.ts';
import { tableNames } from '../../platform/storage/sums.ts';
import { formatDateTime } from '../../platform/time.ts';
import { type Check, type Finding, finding, fine, type Trouble } from './doctor-finding.ts';
import { lookAt, type OnCheck } from './doctor-look.ts';
import { validity } from './doctor-machine.ts';

/** The largest tolerated difference between clocks. Clocks that follow NTP differ by milliseconds. */
const CLOCK_WARNING_MS = 1_000;
const CLOCK_ERROR_MS = 5_000;

/** The largest tolerated lag of a replica. A replica with a larger lag serves outdated items. */
const REPLICA_LATE_S = 60;

/**
 * Runs every check of a server. `processes` is the number of processes with these settings; `now` is the clock of this
 * machine.
 */
export async function serverFindings(
  store: Store,
  config: Config,
  now: () => number,
  processes: number,
  onCheck?: OnCheck,
): Promise<Finding[]> {
  const looks: [Check, () => Promise<Finding>][] = [
    ['primary', () => primaryFinding(store)],
    ['durability', () => durabilityFinding(store)],
    ['connections', () => connectionsFinding(store, config.databasePool, processes)],
    ['clock', () => clockFinding(store, now)],
    ['database certificate', () => databaseCertificateFinding(config, now())],
    ['replica', () => replicaFinding(config)],
    ['shards', () => shardsFinding(store)],
  ];
  return lookAt(
    looks.map(([check, look]) => [check, async () => [await look()]]),
    onCheck,
  );
}

interface Recovery {
  read_only: string;
  in_recovery: boolean;
}

const RECOVERY = sql<Recovery>`select current_setting('default_transaction_read_only') as read_only,
  pg_is_in_recovery() as in_recovery`;

async function primaryFinding(store: Store): Promise<Finding> {
  const { rows } = await store.read((db) => RECOVERY.execute(db), { single: true });
  const { read_only, in_recovery } = rows[0]!;
  const fix = in_recovery
    ? 'point DATABASE_URL to the primary; a replica belongs in DATABASE_READ_URL'
    : 'switch default_transaction_read_only off, for the role, the database or the server';
  const found = in_recovery ? 'the server is a standby, which accepts no writes' : 'the database is read only';
  const troubles = in_recovery || read_only === 'on' ? [{ found, fix }] : [];
  return finding('primary', troubles, 'the server accepts writes');
}

const LOSING: Record<string, string> = {
  fsync: 'a crash of the machine can destroy the database',
  full_page_writes: 'a crash of the machine can destroy pages',
  synchronous_commit: 'a crash loses writes that were acknowledged',
};

async function durabilityFinding(store: Store): Promise<Finding> {
  const names = Object.keys(LOSING);
  const { rows } = await store.read(
    (db) =>
      sql<{ name: string; setting: string }>`select name, setting from pg_settings
        where name in (${sql.join(names)}) order by name`.execute(db),
    { single: true },
  );
  const troubles = rows
    .filter(({ setting }) => setting === 'off')
    .map(({ name }) => ({ found: `${name} is off: ${LOSING[name]!}`, fix: `set ${name} = on` }));
  return finding('durability', troubles, 'acknowledged writes are on the disk');
}

async function connectionsFinding(store: Store, pool: number, processes: number): Promise<Finding> {
  const { rows } = await store.read(
    (db) =>
      sql<{ most: number; of_role: number; of_database: number; used: number }>`
        select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
          (select rolconnlimit from pg_roles where rolname = current_user) as of_role,
          (select datconnlimit from pg_database where datname = current_database()) as of_database,
          (select count(*) from pg_stat_activity where datname = current_database()) as used`.execute(db),
    { single: true },
  );
  const { most, of_role, of_database, used } = rows[0]!;
  const allowed = Math.min(...[most, of_role, of_database].filter((limit) => limit >= 0));
  const wanted = pool * processes;
  const troubles: Trouble[] = [];
  if (wanted > allowed) {
    const whose = processes === 1 ? 'a process may open' : `${processes} processes may open`;
    troubles.push({
      found: `${whose} ${wanted} connections (DATABASE_POOL ${pool}), the server allows ${allowed}`,
      fix: 'raise max_connections (or the limit of the role or database), lower DATABASE_POOL, or put a pooler in between',
    });
  }
  return finding('connections', troubles, `${used} of ${allowed} connections are in use`, 'warning');
}

async function clockFinding(store: Store, now: () => number): Promise<Finding> {
  // The first measurement may include opening a connection.
  await clockOffset(store, now);
  const { offsetMs, sureMs } = await clockOffset(store, now);
  const apart = Math.max(0, Math.abs(offsetMs) - sureMs);
  const seconds = (Math.abs(offsetMs) / 1_000).toFixed(1);
  const found = `the clock of this machine is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the clock of the database server`;
  const fix =
    'synchronize both with NTP (timedatectl set-ntp true): SLAs, expiry of keys and the order of queues depend on clocks';
  const level = apart > CLOCK_ERROR_MS ? 'error' : 'warning';
  return finding(
    'clock',
    apart > CLOCK_WARNING_MS ? [{ found, fix }] : [],
    'the same as the clock of the database server',
    level,
  );
}

async function databaseCertificateFinding({ databaseUrl }: Config, now: number): Promise<Finding> {
  const client = await connectAlone(postgresSettings(databaseUrl));
  try {
    const { stream } = (client as pg.Client & { connection: { stream: unknown } }).connection;
    if (!(stream instanceof TLSSocket)) {
      return fine('database certificate', 'the connection has no TLS; the network must be private');
    }
    const { valid_from: validFrom, valid_to: validTo } = stream.getPeerCertificate();
    const fix = 'renew the certificate of the database server (ssl_cert_file) and reload it';
    return validity('database certificate', { validFrom, validTo }, now, fix);
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Replica {
  in_recovery: boolean;
  behind: number | null;
  replayed: number | null;
}

const REPLICA = sql<Replica>`select pg_is_in_recovery() as in_recovery,
  case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end as behind,
  extract(epoch from pg_last_xact_replay_timestamp()) * 1000 as replayed`;

async function replicaFinding({ databaseReadUrl }: Config): Promise<Finding> {
  if (databaseReadUrl === undefined) return fine('replica', 'DATABASE_READ_URL is not set');
  const fix = 'the primary serves its reads; repair the replica, or remove DATABASE_READ_URL';
  let rows: Replica[];
  try {
    ({ rows } = await useStore(databaseReadUrl, { connections: 2 }, (store) =>
      store.read((db) => REPLICA.execute(db), { single: true }),
    ));
  } catch (error) {
    return finding('replica', [{ found: (error as Error).message, fix }], '', 'warning');
  }
  const { in_recovery, behind, replayed } = rows[0]!;
  if (!in_recovery) {
    const other = 'set DATABASE_READ_URL to a replica of the primary, or remove it';
    return finding('replica', [{ found: 'the server is not a standby', fix: other }], '', 'warning');
  }
  const found = `it is ${Math.round(behind ?? 0)} s behind${replayed === null ? '' : `, at ${formatDateTime(replayed)}`}`;
  return finding('replica', (behind ?? 0) > REPLICA_LATE_S ? [{ found, fix }] : [], found, 'warning');
}

const NAMED = 5;

/** Finds tables that the sharding engine does not distribute. They exist on the coordinator only. */
async function shardsFinding(store: Store): Promise<Finding> {
  if (!store.dialect.isSharded) return fine('shards', 'no sharding engine spreads the tables');
  const spread = await store.read(async (db) => {
    const { rows } = await sql.raw<{ hasCatalog: boolean }>(HAS_CATALOG).execute(db);
    if (!rows[0]!.hasCatalog) return [];
    return (await sql.raw<{ name: string }>(SPREAD_TABLES).execute(db)).rows.map(({ name }) => name);
  });
  const names = tableNames();
  const left = names.filter((name) => !spread.includes(name));
  const some =
    left.length <= NAMED ? left.join(', ') : `${left.slice(0, NAMED).join(', ')} and ${left.length - NAMED} more`;
  const found =
    left.length === names.length
      ? 'the sharding engine spreads none of the tables'
      : `the sharding engine does not spread ${some}`;
  const fix = 'run the output of backroom schema --distribute citus on an empty database, or drop the extension';
  return finding(
    'shards',
    left.length === 0 ? [] : [{ found, fix }],
    `${names.length} tables are spread or on every shard`,
    'warning',
  );
}
