/** A PostgreSQL server with the archiving of deploy/pitr. It can lose its data and be restored to a second. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../town/free-port.ts';
import { atEnd } from '../../town/service-process.ts';
import { postgresPrograms, postgresUser, type User } from '../failover/tools.ts';

const SET_UP = new URL('../../deploy/pitr/', import.meta.url).pathname;
const STANZA = '--stanza=backroom';
const ROLE = 'backroom';
const WAIT_MS = 120_000;

/** Returns the reason why this machine cannot have an archive; undefined if it can. */
export function whyNoArchive(): string | undefined {
  if (spawnSync('pgbackrest', ['version']).status !== 0) return 'pgbackrest is not installed (Debian: pgbackrest)';
  if (postgresPrograms() === '') return 'PostgreSQL 15 or newer is not installed (Debian: postgresql)';
  if (process.getuid?.() === 0 && postgresUser() === undefined) return 'there is no user postgres to run it as';
  return undefined;
}

/** Returns the version of pgBackRest, as printed by `pgbackrest version`. */
export const backrestVersion = (): string => execFileSync('pgbackrest', ['version'], { encoding: 'utf8' }).trim();

export class ArchivedServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #options: { cwd: string; env: Record<string, string> } & Partial<User>;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, user: User | undefined) {
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://${ROLE}@127.0.0.1:${port}/postgres`;
    // These variables override paths and settings of the operator's pgbackrest.conf (deploy/pitr), which is otherwise
    // unchanged.
    const places = {
      CONFIG: join(folder, 'pgbackrest.conf'),
      REPO1_PATH: join(folder, 'archive'),
      PG1_PATH: this.#data,
      PG1_PORT: String(port),
      PG1_SOCKET_PATH: folder,
      PG1_USER: ROLE,
      LOG_PATH: folder,
      LOCK_PATH: join(folder, 'lock'),
      SPOOL_PATH: join(folder, 'spool'),
      LOG_LEVEL_CONSOLE: 'warn',
    };
    const env = Object.fromEntries(Object.entries(places).map(([name, value]) => [`PGBACKREST_${name}`, value]));
    this.#options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', ...env }, ...user };
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  /** Creates the server, with a first full backup. */
  static async make(): Promise<ArchivedServer> {
    const user = process.getuid?.() === 0 ? postgresUser() : undefined;
    const folder = mkdtempSync('/tmp/backroom-pitr-');
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    const server = new ArchivedServer(folder, await freePort(), user);
    atEnd(() => server.#process?.kill('SIGKILL'));
    try {
      for (const name of ['pgbackrest.conf', 'postgresql.conf']) {
        copyFileSync(join(SET_UP, name), join(folder, name));
      }
      for (const name of ['archive', 'lock', 'spool']) {
        mkdirSync(join(folder, name));
        if (user !== undefined) chownSync(join(folder, name), user.uid, user.gid);
      }
      const words = ['-D', server.#data, '-U', ROLE, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--data-checksums'];
      execFileSync(join(postgresPrograms(), 'initdb'), words, {
        ...server.#options,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await server.start();
      server.backrest('stanza-create');
      server.backrest('check');
      server.backrest('backup', '--type=full');
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  /** Starts the server. Resolves when it accepts writes; with `standby`, when it accepts reads. */
  async start(standby = false): Promise<void> {
    const settings = {
      config_file: join(this.#data, 'postgresql.conf'),
      listen_addresses: '127.0.0.1',
      port: this.#port,
      unix_socket_directories: this.#folder,
      max_connections: 100,
      log_min_messages: 'warning',
    };
    writeFileSync(join(this.#data, 'postgresql.conf'), `include '${join(this.#folder, 'postgresql.conf')}'\n`);
    const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(postgresPrograms(), 'postgres'), ['-D', this.#data, ...set], {
      ...this.#options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${String(chunk)}`.slice(-2_000);
    });
    this.#process = child;
    for (const until = performance.now() + WAIT_MS; ; ) {
      await sleep(50);
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
      const state = await this.query<{ waits: boolean }>(
        "select pg_is_in_recovery() and pg_get_wal_replay_pause_state() <> 'paused' or pg_is_in_recovery() <> $1 as waits",
        [standby],
      ).catch(() => undefined);
      if (state?.[0]?.waits === false) return;
      if (performance.now() > until) throw new Error(`PostgreSQL does not accept connections in time: ${said}`);
    }
  }

  /** Runs one statement, by default on the database `postgres`. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], url = this.url): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Resolves when the archive has all data that was committed so far. @throws Error after `WAIT_MS`. */
  async archived(): Promise<void> {
    const [last] = await this.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment');
    for (const until = performance.now() + WAIT_MS; ; ) {
      await sleep(50);
      const [state] = await this.query<{ done: boolean }>(
        'select coalesce(last_archived_wal >= $1, false) as done from pg_stat_archiver',
        [last!.segment],
      );
      if (state!.done) return;
      if (performance.now() > until) throw new Error('The log is not archived in time.');
    }
  }

  /** Kills the server and deletes its data. */
  async lose(): Promise<void> {
    await this.#stop('SIGQUIT');
    rmSync(this.#data, { recursive: true });
    mkdirSync(this.#data, { mode: 0o700 });
    const { uid, gid } = this.#options;
    if (uid !== undefined && gid !== undefined) chownSync(this.#data, uid, gid);
  }

  /**
   * Restores the data that was committed until `target` and starts the server. With `promote` it accepts writes; with
   * `pause` only reads.
   */
  async restore(target: number, how: 'promote' | 'pause' = 'promote'): Promise<void> {
    const time = new Date(target).toISOString().replace('T', ' ').replace('Z', '+00');
    this.backrest('restore', '--type=time', `--target=${time}`, `--target-action=${how}`);
    await this.start(how === 'pause');
  }

  /** Restores the whole archive and starts the server. */
  async restoreNewest(): Promise<void> {
    this.backrest('restore');
    await this.start();
  }

  /** Runs pgBackRest. @throws Error with its output. */
  backrest(command: string, ...args: string[]): void {
    const done = spawnSync('pgbackrest', [STANZA, ...args, command], { ...this.#options, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`pgbackrest ${command}: ${done.stdout}${done.stderr}`);
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.#stop('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
