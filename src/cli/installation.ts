/** Opens the installation that the environment names, for one command, beside a service that may be running (decision 7). */
import { existsSync } from 'node:fs';
import { type Config, loadConfig } from '../config.ts';
import type { Actor, Ctx } from '../ctx.ts';
import { authorize } from '../http/auth.ts';
import { badRequest } from '../http/errors.ts';
import type { Operation, Reply } from '../http/operation.ts';
import { compile } from '../http/validate.ts';
import { schemas } from '../operations.ts';
import type { Ports } from '../ports.ts';
import { createSealer, loadSecret, type Sealer } from '../secrets.ts';
import { openStore, type Store, type Writer } from '../storage/db.ts';
import { currentVersion, migrate, pendingMigrations } from '../storage/migrate.ts';
import { sqliteFile } from '../storage/url.ts';
import type { Io } from './io.ts';

export interface Installation {
  config: Config;
  ports: Ports;
  store: Store;
  sealer: Sealer;
}

/** How long a command waits for the lock of a service that writes. */
const LOCK_WAIT_MS = 60_000;

/** The operator at the machine itself. */
const OPERATOR: Actor = { kind: 'operator', id: 'operator:cli' };

export interface OpenOptions {
  /** What to do where there is no database: `make` one, or `refuse` with a sentence (default). */
  missing?: 'make' | 'refuse';
}

/** Runs `work` on the opened installation and closes it. */
export async function withInstallation<T>(
  io: Io,
  work: (installation: Installation) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const config = loadConfig(io.env);
  const ports = io.ports(config);
  const file = sqliteFile(config.databaseUrl);
  if (!existsSync(file)) {
    if (options.missing !== 'make') {
      throw new Error(`There is no database ${file}; set DATABASE_URL, or make one with backroom migrate.`);
    }
    await migrate(config.databaseUrl, { now: ports.now });
  }
  const store = await openStore(config.databaseUrl, { lockWaitMs: LOCK_WAIT_MS, jobTimeoutMs: LOCK_WAIT_MS });
  try {
    await mustBeCurrent(store);
    return await work({ config, ports, store, sealer: createSealer(loadSecret(config)) });
  } finally {
    await store.close();
  }
}

async function mustBeCurrent(store: Store): Promise<void> {
  const pending = await pendingMigrations(store);
  if (pending.length === 0) return;
  const at = await currentVersion(store);
  throw new Error(
    `The database is at migration ${at}, this program needs ${at + pending.length}: run backroom migrate.`,
  );
}

/** A context for the operator's own writes. */
export function operatorCtx({ store, ports, sealer }: Installation, db: Writer): Ctx {
  return {
    db,
    dialect: store.dialect,
    actor: OPERATOR,
    requestId: ports.newId(),
    now: ports.now(),
    newId: ports.newId,
    randomBytes: ports.randomBytes,
    sealer,
    log: ports.log,
    onCommit: () => undefined,
  };
}

/**
 * Runs an operation of the interface as the operator, with its own checks, rules and events.
 * @throws Refusal as over HTTP.
 */
export async function perform(
  installation: Installation,
  operation: Operation,
  params: Record<string, string>,
  body?: unknown,
): Promise<Reply> {
  const { store, ports } = installation;
  if (operation.body !== undefined) {
    const verdict = compile(operation.body, schemas)(body);
    if (verdict.faults.length > 0) throw badRequest(verdict.faults, verdict.total);
  }
  const scope = await store.read((db) => authorize(db, operation, OPERATOR, params));
  const input = { params, query: {}, body, headers: {}, ...scope };
  if (operation.access === 'read') {
    return store.read((db) => operation.handle({ ...operatorCtx(installation, db as Writer), db }, input as never));
  }
  const prepared = await operation.prepare?.(input as never, ports.randomBytes);
  return store.write((tx) => operation.handle(operatorCtx(installation, tx), { ...input, prepared } as never));
}
