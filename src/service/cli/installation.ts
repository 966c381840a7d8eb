/**
 * Opens the installation that the environment variables name, for one command. A service can be running at the same
 * time.
 */
import { type Config, loadConfig } from '../../platform/config.ts';
import { type Actor, type Ctx, makeCtx } from '../../platform/ctx.ts';
import type { Ports } from '../../platform/ports.ts';
import { checkSecret, createSealer, fitSecret, openSecret, otherSecret, type Sealer } from '../../platform/secrets.ts';
import { type Reader, type Store, useStore } from '../../platform/storage/db.ts';
import { currentVersion, isMade, pendingMigrations } from '../../platform/storage/migrate.ts';
import { placeOf } from '../../platform/storage/url.ts';
import { migrate } from '../migrate.ts';
import type { Io } from './io.ts';

/** The parts of an installation for commands that neither encrypt nor decrypt PINs. */
export interface Opened {
  config: Config;
  ports: Ports;
  store: Store;
}

export interface Installation extends Opened {
  sealer: Sealer;
}

/** Maximum time that a command waits for the lock of a service that writes. */
const LOCK_WAIT_MS = 60_000;

/** The actor of commands: the operator on this machine. */
export const OPERATOR: Actor = { kind: 'operator', id: 'operator:cli' };

interface OpenOptions {
  /** If there is no database: `make` creates one, `refuse` (the default) throws an error. */
  missing?: 'make' | 'refuse';
  /** `any`: the command also works on the database of an older release. By default the database must be up to date. */
  schema?: 'any';
  /** Whether the command encrypts PINs. Such a command binds the database to the configured key. */
  seals?: true;
}

/**
 * Runs `work` on the opened installation and closes it.
 * @throws WrongSecret if the key is not the one that the database was used with.
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

/** Like `withInstallation`, for commands that need no key. They also work if the key is lost. */
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
        `There is no database ${placeOf(config.databaseUrl)}; set DATABASE_URL, or create one with backroom migrate.`,
      );
    }
    await migrate(config.databaseUrl, { now: ports.now });
  }
  return useStore(config.databaseUrl, { lockWaitMs: LOCK_WAIT_MS, jobTimeoutMs: LOCK_WAIT_MS }, async (store) => {
    if (options.schema !== 'any') await mustBeCurrent(store);
    return work({ config, ports, store });
  });
}

async function rightSealer({ config, store }: Opened, seals: boolean): Promise<Sealer> {
  return createSealer(await openSecret(config, store, seals ? checkSecret : fitSecret), otherSecret(config));
}

async function mustBeCurrent(store: Store): Promise<void> {
  const pending = await pendingMigrations(store);
  if (pending.length === 0) return;
  const at = await currentVersion(store);
  throw new Error(
    `The database is at migration ${at}, this program needs ${at + pending.length}: run backroom migrate.`,
  );
}

/** A context for operations of the operator. */
export function operatorCtx<Db extends Reader>(installation: Installation, db: Db): Ctx<Db> {
  return makeCtx(installation, { db, actor: OPERATOR });
}

/**
 * Commands that read rows of a client call this first. Without it, a command with a misspelled client would find no
 * rows. A command with a misspelled node would find the users who work at every node.
 * @throws Error if there is no such client, or the client has no such node.
 */
export async function mustExist(db: Reader, clientId: string, nodeId?: string): Promise<void> {
  const client = db.selectFrom('clients').select('client_id').where('client_id', '=', clientId);
  if ((await client.executeTakeFirst()) === undefined)
    throw new Error(`There is no client ${JSON.stringify(clientId)}.`);
  if (nodeId === undefined) return;
  const node = db.selectFrom('nodes').select('node_id').where('client_id', '=', clientId).where('node_id', '=', nodeId);
  if ((await node.executeTakeFirst()) === undefined)
    throw new Error(`Client ${JSON.stringify(clientId)} has no node ${JSON.stringify(nodeId)}.`);
}
