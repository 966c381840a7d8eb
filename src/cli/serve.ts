import type { Command } from 'commander';
import { loadConfig, storeOptions } from '../config.ts';
import { createServer } from '../server.ts';
import { openStore, type Store } from '../storage/db.ts';
import { migrate } from '../storage/migrate.ts';
import { shownUrl } from '../storage/url.ts';
import { VERSION } from '../version.ts';
import type { Io } from './io.ts';

export function add(program: Command, io: Io): void {
  program
    .command('serve', { isDefault: false })
    .description('Bring the database up to date and serve. SIGTERM or SIGINT stops it when its requests are done.')
    .addHelpText('after', '\nExample:\n  PORT=8080 DATABASE_URL=sqlite:data/backroom.db backroom serve')
    .action(() => serve(io));
}

/** Serves until the process is told to stop. */
export async function serve(io: Io): Promise<void> {
  const config = loadConfig(io.env);
  const ports = io.ports(config);
  const applied = await migrate(config.databaseUrl, { now: ports.now });
  for (const { number, name } of applied) ports.log.info({ migration: number, name }, 'migration applied');
  const store = await openStore(config.databaseUrl, {
    ...storeOptions(config),
    onError: (error) => ports.log.error({ err: error }, 'storage'),
  });
  const server = await createServer(config, ports, store);
  try {
    const address = await server.listen().catch((error: unknown) => {
      throw cannotListen(error, config.host, config.port);
    });
    ports.log.info({ address, version: VERSION, database: shownUrl(config.databaseUrl) }, `listening on ${address}`);
    if (config.operatorKey === undefined && !(await hasOperatorKey(store))) {
      ports.log.warn('there is no operator key yet: set BACKROOM_OPERATOR_KEY or run backroom key create --operator');
    }
    await stopped(io.signal);
    ports.log.info('stopping');
  } finally {
    await server.close();
  }
}

/** Resolves when the process is told to stop. */
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
    return new Error(`Port ${port} of ${host} is taken by another process; set PORT to another.`);
  if (code === 'EACCES') return new Error(`Port ${port} may not be taken by this user; set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL') return new Error(`${host} is no address of this machine; set HOST to one.`);
  return error;
}
