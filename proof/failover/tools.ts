/** Finds the programs that the campaign needs, and reports the missing ones. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Debian packages that are needed in addition to postgresql (version 15 or later). */
const PACKAGES = ['patroni', 'etcd-server', 'haproxy'] as const;

/** Names of the simulated machines. */
export const NODES = ['node1', 'node2', 'node3'] as const;
export type Node = (typeof NODES)[number];

const DEBIAN = '/usr/lib/postgresql';
/** The first release of Patroni in which a primary that hung cannot regain its lock through the etcd3 API. */
const SOUND = [3, 0, 3] as const;
const CLOCK_LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];

export interface User {
  uid: number;
  gid: number;
}

/** Returns the reason why this machine cannot run a cluster; undefined if it can. */
export function whyNoCluster(): string | undefined {
  if (process.platform !== 'linux') return 'simulated machines need Linux';
  const needed = [patroniProgram()[0]!, 'etcd', 'haproxy', 'setpriv'];
  const missing = needed.filter((program) => output('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]) === '');
  if (missing.length > 0) return `${missing.join(', ')} is not installed (Debian: ${PACKAGES.join(', ')})`;
  if (postgresPrograms() === '') return 'PostgreSQL 15 or newer is not installed (Debian: postgresql)';
  if (process.getuid?.() === 0 && postgresUser() === undefined) return 'there is no user postgres to run it as';
  return undefined;
}

/**
 * Returns the command that starts Patroni: Debian's command, or the path in the environment, such as
 * `PROOF_PATRONI=/opt/patroni/bin/patroni`.
 */
export function patroniProgram(): string[] {
  const named = process.env['PROOF_PATRONI'];
  if (named === undefined || named === '') return ['patroni'];
  return [named];
}

let known: string | undefined;

/**
 * Returns the version of Patroni, such as `3.0.2`; `0.0.0` if the version is unknown. It is read once, because the
 * command takes half a second.
 */
export function patroniVersion(): string {
  if (known === undefined) {
    const [program, ...args] = patroniProgram() as [string, ...string[]];
    known = /\d+\.\d+\.\d+/.exec(output(program, [...args, '--version']))?.[0] ?? '0.0.0';
  }
  return known;
}

/** Returns the API of etcd with which the installed version of Patroni loses no writes. */
export function soundApi(version = patroniVersion()): 'etcd' | 'etcd3' {
  const parts = version.split('.').map(Number);
  for (const [index, least] of SOUND.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least ? 'etcd3' : 'etcd';
  }
  return 'etcd3';
}

/** Returns the folder of the newest PostgreSQL from version 15; an empty text if there is none. */
export function postgresPrograms(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => version >= 15));
  return newest === 0 ? '' : join(DEBIAN, String(newest), 'bin');
}

/**
 * Returns the user `postgres` if this process runs as root. This user then runs the daemons, because PostgreSQL does
 * not run as root. Returns undefined if this process does not run as root, or if there is no such user.
 */
export function postgresUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Returns the path of libfaketime, which changes the time that a process sees; undefined if it is not installed. */
export function clockLibrary(): string | undefined {
  return CLOCK_LIBRARIES.find((file) => existsSync(file));
}

function output(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
