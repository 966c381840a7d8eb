/** Backup and restore of PostgreSQL with its own programs, from the search path. */
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { connectionOf } from '../../platform/storage/postgres-connection.ts';
import { postgresParameters } from '../../platform/storage/url.ts';

/** Whether `pg_dump` is in the search path. */
export function hasDump(): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('pg_dump', ['--version'], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Dumps a snapshot to a file and syncs the file. The umask of the program (src/main.ts) gives the file mode 600. */
export async function dumpTo(url: string, file: string, snapshot: string, signal?: AbortSignal): Promise<void> {
  const args = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`, `--file=${file}`];
  await perform('pg_dump', url, args, signal);
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Fills an empty database from a dump, completely or not at all. */
export function restoreFrom(url: string, file: string, signal?: AbortSignal): Promise<void> {
  const args = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', file];
  return perform('pg_restore', url, args, signal);
}

/** Parameters of a URL, with the variables by which the programs read them. */
const VARIABLES = {
  application_name: 'PGAPPNAME',
  channel_binding: 'PGCHANNELBINDING',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  options: 'PGOPTIONS',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslrootcert: 'PGSSLROOTCERT',
} as const;

/**
 * Returns the connection of the driver as variables for the programs, which do not accept every URL of the driver.
 * Other users of the machine can read the arguments of a process, but not its variables.
 */
export function variablesOf(url: string): Record<string, string> {
  const { host, port, user, password, database, ssl } = connectionOf(url);
  const parameters = postgresParameters(url);
  const variables: Record<string, string | null | undefined> = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: typeof password === 'string' ? password : undefined,
    PGDATABASE: database,
    PGSSLMODE: modeOf(ssl, parameters),
  };
  for (const [name, variable] of Object.entries(VARIABLES)) variables[variable] = parameters.get(name);
  return Object.fromEntries(Object.entries(variables).filter((pair): pair is [string, string] => Boolean(pair[1])));
}

/**
 * Returns the `sslmode` with which the programs verify the server as the driver does. The driver also verifies the
 * server with `prefer` and `require`. Returns undefined if the URL has no setting of TLS.
 */
function modeOf(ssl: ReturnType<typeof connectionOf>['ssl'], parameters: URLSearchParams): string | undefined {
  if (ssl === false) return parameters.has('sslmode') || parameters.has('ssl') ? 'disable' : undefined;
  const { rejectUnauthorized, checkServerIdentity } = ssl === true ? {} : ssl;
  if (rejectUnauthorized === false) return 'require';
  return checkServerIdentity === undefined ? 'verify-full' : 'verify-ca';
}

/**
 * Runs one of PostgreSQL's programs on the database.
 * @throws Error with the message of the program, or with the package to install.
 */
async function perform(program: string, url: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
  const variables: NodeJS.ProcessEnv = { ...process.env, ...variablesOf(url) };
  const isVerifying = variables['PGSSLMODE']?.startsWith('verify-') === true;
  if (!isVerifying || variables['PGSSLROOTCERT'] !== undefined) return start(program, variables, args, signal);
  // Without a file, the driver trusts the authorities of Node, but the programs trust none.
  const folder = await mkdtemp(join(tmpdir(), 'backroom-authorities-'));
  try {
    const file = join(folder, 'root.crt');
    await writeFile(file, getCACertificates('default').join('\n'));
    await start(program, { ...variables, PGSSLROOTCERT: file }, args, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function start(
  program: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  // pg_restore writes to standard output without this argument.
  const name = (env['PGDATABASE'] ?? '').replaceAll(/['\\]/g, '\\$&');
  return new Promise((resolve, reject) => {
    const child = spawn(program, [`--dbname=dbname='${name}'`, '--no-password', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${String(chunk)}`.slice(-2_000);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT' ? 'it is not installed; install the client programs of PostgreSQL' : error.message;
      reject(new Error(`${program} cannot be started: ${why}.`, { cause: error }));
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed: ${said.trim()}`));
    });
  });
}
