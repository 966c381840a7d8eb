/**
 * A new installation with the stores and items of the real data, served on loopback. Each kind of day takes in its
 * orders in its own way.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts, systemPorts } from '../../src/platform/ports.ts';
import { createSealer, loadSecret } from '../../src/platform/secrets.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { totalOf } from '../../src/service/cli/import.ts';
import { type ImportKind, loadMapping } from '../../src/service/import/mapping.ts';
import { type ImportSummary, importFile } from '../../src/service/import/run.ts';
import { migrate } from '../../src/service/migrate.ts';
import { createServer } from '../../src/service/server.ts';
import { Caller, type Credentials } from './http.ts';

export const CLIENT = 'RETAIL';
export const STORE = 'RETAIL_WEB';
export const CATALOG = 'UK';
export const SELLER = 'RETAIL';
export const STORE_CODE = 'WEB';
export const EXAMPLE = fileURLToPath(new URL('../../examples/online-retail/', import.meta.url));

export interface Day {
  config: Config;
  store: Store;
  now: () => number;
  operator: Caller;
  /** A caller with a credential of the client. The credential has all groups of operations. */
  caller: Caller;
  /** Imports files. @throws Error if a file cannot be read. */
  read: (kind: ImportKind, mapping: string, files: readonly string[]) => Promise<ImportSummary[]>;
  close: () => Promise<void>;
}

/** Opens the installation. With a `clock` it is a sandbox, whose time changes only by advanceClock. */
export async function openDay(say: (line: string) => void, clock?: { now: number }): Promise<Day> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-day-'));
  const log = createLog('warn');
  const ports = clock === undefined ? systemPorts(log) : seededPorts('day', clock, log);
  const operatorKey = ports.randomBytes(24).toString('hex');
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'day.db')}`,
    BACKROOM_OPERATOR_KEY: operatorKey,
    LOG_LEVEL: 'warn',
  });
  await migrate(config.databaseUrl, { now: ports.now });
  const store = await openStore(config.databaseUrl);
  const server = await createServer(config, ports, store, clock && { clock });
  const close = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const operator = Caller.operator(await server.listen(), operatorKey);
    const caller = operator.as(await provision(operator));
    const installation = { config, store, ports, sealer: createSealer(await loadSecret(config)) };
    const read: Day['read'] = async (kind, mappingFile, files) => {
      const rejectFolder = join(folder, kind);
      mkdirSync(rejectFolder, { recursive: true });
      const mapping = await loadMapping(join(EXAMPLE, mappingFile), kind);
      const done: ImportSummary[] = [];
      for (const file of files) {
        done.push(
          await importFile(installation, { kind, clientId: CLIENT, storeId: STORE, file, mapping, rejectFolder }),
        );
      }
      const { rowsRead, rowsImported, rowsRefused } = totalOf(done);
      say(`${kind}: ${rowsRead} rows read, ${rowsImported} imported, rejected ${JSON.stringify(rowsRefused)}`);
      return done;
    };
    return { config, store, now: ports.now, operator, caller, read, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the CSV files of a folder and its subfolders. @throws Error if there are none. */
export function invoiceFiles(data: string): string[] {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => /\.csv(\.gz)?$/.test(name));
  if (names.length === 0)
    throw new Error(`There are no CSV files in ${data}; examples/online-retail/README.md says where to get them.`);
  return names.sort().map((name) => join(data, name));
}

async function provision(operator: Caller): Promise<Credentials> {
  const client = `/operator/v1/clients/${CLIENT}`;
  await operator.send('PUT', client, { name: 'Online retailer', catalogIds: [CATALOG] });
  await operator.send('PUT', `${client}/stores/${STORE}`, {
    name: 'Web store',
    catalogId: CATALOG,
    sellerId: SELLER,
    storeCode: STORE_CODE,
    currency: 'GBP',
  });
  return operator.send<Credentials>('POST', `${client}/credentials`, { label: 'The day' });
}

export function sorted(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort());
}

/** Returns a function that calls `report` about ten times during a long task, and at its end. */
export function everyTenth(report: (done: number, total: number) => void): (done: number, total: number) => void {
  return (done, total) => {
    if (done === total || done % Math.max(1, Math.ceil(total / 10)) === 0) report(done, total);
  };
}
