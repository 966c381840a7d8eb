import type { Command } from 'commander';
import { type Config, loadConfig, storeOptions } from '../../platform/config.ts';
import type { Ports } from '../../platform/ports.ts';
import { openStore, type Store } from '../../platform/storage/db.ts';
import { takeServing } from '../../platform/storage/serving.ts';
import { isPostgres, shownUrl } from '../../platform/storage/url.ts';
import type { Tracing } from '../../platform/tracing.ts';
import { VERSION } from '../../platform/version.ts';
import { createServer } from '../server.ts';
import { sentenceOf } from './doctor-finding.ts';
import { type Io, wholeFrom } from './io.ts';
import { serviceManager } from './service-manager.ts';
import { upgradeAtStart } from './upgrade.ts';
import { type WorkerPart, workerPart } from './worker.ts';

const WORKERS_MAX = 256;

export function add(program: Command, io: Io): void {
  program
    .command('serve', { isDefault: false })
    .description(
      'Migrate the database and serve. SIGTERM or SIGINT stops the service after its open requests; SIGHUP reloads the certificate.',
    )
    .option(
      '--workers <count>',
      'processes that share the port and the work; more than 1 needs PostgreSQL',
      wholeFrom(1, WORKERS_MAX),
      1,
    )
    .addHelpText('after', '\nExample:\n  PORT=8080 DATABASE_URL=sqlite:data/backroom.db backroom serve')
    .action((options: { workers: number }) => serve(io, options.workers));
}

/** Serves until a signal stops the process. */
export async function serve(io: Io, count = 1): Promise<void> {
  const config = loadConfig(io.env);
  const ports = io.ports(config);
  // SIGHUP must not end the process during the start; the certificate is read later.
  io.onHangUp(() => undefined);
  const part = workerPart(io);
  if (part !== undefined) {
    const log = ports.log.child({ worker: part.number });
    return serveAlone(config, { ...ports, log }, part, part.listens, count, part).finally(part.leave);
  }
  if (count > 1 && !isPostgres(config.databaseUrl)) throw new Error(ONE_PROCESS);
  // Take the lock before the migration, which must not change a file that an older program serves.
  const giveBack = takeServing(config.databaseUrl);
  const manager = serviceManager(io.env, ports.log);
  io.signal.addEventListener('abort', manager.stopping, { once: true });
  const onListening = (address: string) => {
    sayListening(config, ports, address, count);
    manager.ready();
  };
  try {
    const { applied, backup, isNewer } = await upgradeAtStart(config, ports);
    if (isNewer) ports.log.info('a newer version has migrated the database; this version serves it unchanged');
    if (backup !== undefined) ports.log.info({ file: backup.file }, 'backup of the older schema taken');
    for (const { number, name } of applied) ports.log.info({ migration: number, name }, 'migration applied');
    if (count === 1) await serveAlone(config, ports, io, onListening, count);
    else await serveTogether(config, ports, io, onListening, count);
  } finally {
    io.signal.removeEventListener('abort', manager.stopping);
    giveBack();
  }
}

type Signals = Pick<Io, 'signal' | 'onHangUp'>;

async function serveTogether(
  config: Config,
  ports: Ports,
  { signal, onHangUp }: Signals,
  onListening: (address: string) => void,
  count: number,
): Promise<void> {
  const { superviseWorkers } = await import('./workers.ts');
  await superviseWorkers(signal, {
    count,
    shutdownGraceMs: config.shutdownGraceMs,
    ports,
    onReload: onHangUp,
    onListening,
  });
}

const ONE_PROCESS =
  'Only one process can serve SQLite, because caches do not see the writes of other processes. Leave --workers out, or move to PostgreSQL (backroom copy) and set DATABASE_URL to it.';

async function serveAlone(
  config: Config,
  ports: Ports,
  { signal, onHangUp }: Signals,
  onListening: (address: string) => void,
  processes: number,
  part?: WorkerPart,
): Promise<void> {
  const store = await openStore(config.databaseUrl, {
    ...storeOptions(config),
    randomBytes: ports.randomBytes,
    onError: (error) => ports.log.error({ err: error }, 'storage'),
  });
  const tracing = await tracingOf(config, store, ports, (part?.number ?? 1) === 1);
  const server = await createServer(config, ports, store, {
    ...(part && { sumOfMetrics: part.sumOfMetrics }),
    ...(tracing && { tracing }),
  });
  let told: Promise<void> | undefined;
  try {
    const address = await server.listen().catch((error: unknown) => {
      throw cannotListen(error, config.host, config.port);
    });
    onHangUp(server.reload);
    onListening(address);
    // The first worker logs this for all workers.
    if ((part?.number ?? 1) === 1) told = tellStart(config, ports, store, processes, signal);
    await stopped(signal);
    ports.log.info('stopping');
  } finally {
    // The port closes first: a check of the start can take long.
    await server.close();
    await told;
  }
}

/** Opens tracing. Without the packages of tracing, the first process logs a warning, and the service runs untraced. */
async function tracingOf(
  { otlp }: Config,
  { engine }: Store,
  { log }: Ports,
  isFirst: boolean,
): Promise<Tracing | undefined> {
  if (otlp === undefined) return undefined;
  const { openTracing, NoTracingSdk } = await import('../../platform/otlp.ts');
  try {
    return await openTracing(otlp, engine, log);
  } catch (error) {
    if (!(error instanceof NoTracingSdk)) throw error;
    if (isFirst) log.warn(error.message);
    return undefined;
  }
}

/**
 * Logs the problems that the quick checks of doctor find. The checks never prevent the service from running. When the
 * service stops, the check that runs is the last one, and nothing more is logged.
 */
async function tellStart(
  config: Config,
  { log, now }: Ports,
  store: Store,
  processes: number,
  signal: AbortSignal,
): Promise<void> {
  const goOn = () => signal.throwIfAborted();
  try {
    if (config.operatorKey === undefined && !(await hasOperatorKey(store))) {
      log.warn('there is no operator key yet: set BACKROOM_OPERATOR_KEY or run backroom key create --operator');
    }
    const { startFindings } = await import('./doctor.ts');
    const findings = await startFindings(config, store, now(), processes, goOn);
    goOn();
    for (const found of findings) log.warn({ check: found.check }, `${found.check}: ${sentenceOf(found)}`);
  } catch (error) {
    if (signal.aborted) return;
    log.warn({ err: error }, 'the checks at the start could not be completed; run backroom doctor');
  }
}

function sayListening({ databaseUrl }: Config, { log }: Ports, address: string, count: number): void {
  log.info(
    { address, version: VERSION, database: shownUrl(databaseUrl), workers: count },
    `listening on ${address}${count === 1 ? '' : ` with ${count} workers`}`,
  );
}

/** Resolves when `signal` is aborted, for example because the process got SIGTERM. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function hasOperatorKey(store: Store): Promise<boolean> {
  const key = await store.read((db) =>
    db
      .selectFrom('operator_keys')
      .select('key_id')
      .where('client_id', '=', '')
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),
  );
  return key !== undefined;
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} of ${host} is used by another process; set PORT to another port.`);
  if (code === 'EACCES')
    return new Error(`This user has no permission to use port ${port}; set PORT to a port above 1023.`);
  if (code === 'EADDRNOTAVAIL')
    return new Error(`${host} is not an address of this machine; set HOST to an address of this machine.`);
  return error;
}
