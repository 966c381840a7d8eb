/** Opens the installation that the environment names, for one command, beside a service that may be running. */
import { type Config, loadConfig } from '../../platform/config.ts';
import { type Actor, type Ctx, makeCtx } from '../../platform/ctx.ts';
import type { Ports } from '../../platform/ports.ts';
import { checkSecret, createSealer, fitSecret, openSecret, otherSecret, type Sealer } from '../../platform/secrets.ts';
import { openStore, type Reader, type Store } from '../../platform/storage/db.ts';
import { currentVersion, isMade, pendingMigrations } from '../../platform/storage/migrate.ts';
import { placeOf } from '../../platform/storage/url.ts';
import { migrate } from '../migrate.ts';
import type { Io } from './io.ts';

/** What a command needs that neither seals nor opens a PIN. */
export interface Opened {
  config: Config;
  ports: Ports;
  store: Store;
}

export interface Installation extends Opened {
  sealer: Sealer;
}

/** How long a command waits for the lock of a service that writes. */
const LOCK_WAIT_MS = 60_000;

/** The operator at the machine itself. */
export const OPERATOR: Actor = { kind: 'operator', id: 'operator:cli' };

interface OpenOptions {
  /** What to do where there is no database: `make` one, or `refuse` with a sentence (default). */
  missing?: 'make' | 'refuse';
  /** `any`: the command also works on the database of an older release (default: it must be up to date). */
  schema?: 'any';
  /** The command seals PINs: from now on the database goes with this key. */
  seals?: true;
}

/**
 * Runs `work` on the opened installation and closes it.
 * @throws WrongSecret when the key at hand is not the one the database was used with.
 */
export function withInstallation<T>(
  io: Io,
  work: (installation: Installation) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const sealed = async (opened: Opened) =>
    work({ ...opened, sealer: await rightSealer(opened, options.seals === true) });
  return withStore(io, sealed, options);
}

/** As `withInstallation`, for commands that need no key: they also work when it is lost. */
export async function withStore<T>(
  io: Io,
  work: (opened: Opened) => Promise<T>,
  options: Pick<OpenOptions, 'missing' | 'schema'> = {},
): Promise<T> {
  const config = loadConfig(io.env);
  const ports = io.ports(config);
  if (!(await isMade(config.databaseUrl))) {
    if (options.missing !== 'make') {
      throw new Error(
        `There is no database ${placeOf(config.databaseUrl)}; set DATABASE_URL, or make one with backroom migrate.`,
      );
    }
    await migrate(config.databaseUrl, { now: ports.now });
  }
  const store = await openStore(config.databaseUrl, { lockWaitMs: LOCK_WAIT_MS, jobTimeoutMs: LOCK_WAIT_MS });
  try {
    if (options.schema !== 'any') await mustBeCurrent(store);
    return await work({ config, ports, store });
  } finally {
    await store.close();
  }
}

async function rightSealer({ config, store }: Opened, seals: boolean): Promise<Sealer> {
  return createSealer(await openSecret(config, store, seals ? checkSecret : mustFit), otherSecret(config));
}

/**
 * Does nothing when the key is the one the database was used with, or none was yet.
 * @throws WrongSecret with what to do.
 */
export async function mustFit(store: Store, key: Buffer, other?: Buffer): Promise<void> {
  await fitSecret(store, key, other);
}

async function mustBeCurrent(store: Store): Promise<void> {
  const pending = await pendingMigrations(store);
  if (pending.length === 0) return;
  const at = await currentVersion(store);
  throw new Error(
    `The database is at migration ${at}, this program needs ${at + pending.length}: run backroom migrate.`,
  );
}

/** A context for the operator's own operations. */
export function operatorCtx<Db extends Reader>(installation: Installation, db: Db): Ctx<Db> {
  return makeCtx(installation, { db, actor: OPERATOR });
}
