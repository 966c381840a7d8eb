/**
 * The SFTP server of docs/how-to/connect-a-supplier-by-edi.md: Debian's OpenSSH on a separate port, without root and
 * chroot.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { folder } from '../cli/support.ts';
import { type Courier, fileIn, openCourier } from './run-support.ts';
import { EDI, notice } from './support.ts';

const SSHD = '/usr/sbin/sshd';
const missing = [SSHD, '/usr/lib/openssh/sftp-server', '/usr/bin/sftp', '/usr/bin/ssh-keygen'].filter(
  (program) => !existsSync(program),
);
const why = missing.length === 0 ? '' : ` (not run: ${missing.join(', ')} of Debian's OpenSSH is missing)`;

let courier: Courier | undefined;
let server: ChildProcess | undefined;
afterAll(async () => {
  server?.kill();
  await courier?.close();
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

/** Starts an SSH server with new keys; returns the arguments of `sftp`. */
async function startServer(): Promise<string[]> {
  const base = join(folder, 'sshd');
  mkdirSync(base, { mode: 0o700 });
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(base, name)]);
  }
  writeFileSync(join(base, 'authorized'), readFileSync(join(base, 'user.pub')), { mode: 0o600 });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(base, 'host')}`,
    `AuthorizedKeysFile ${join(base, 'authorized')}`,
    `PidFile ${join(base, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'Subsystem sftp internal-sftp',
    'ForceCommand internal-sftp',
    'AllowTcpForwarding no',
    'X11Forwarding no',
  ];
  writeFileSync(join(base, 'config'), `${config.join('\n')}\n`);
  // An SSH server that runs as root needs this folder for its privilege separation.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  server = spawn(SSHD, ['-D', '-e', '-f', join(base, 'config')], { stdio: 'ignore' });
  const known = join(base, 'known');
  const name = userInfo().username;
  const options = [`UserKnownHostsFile=${known}`, 'StrictHostKeyChecking=accept-new', 'BatchMode=yes'];
  return [
    '-q',
    '-P',
    String(port),
    '-i',
    join(base, 'user'),
    ...options.flatMap((one) => ['-o', one]),
    '-b',
    '-',
    `${name}@127.0.0.1`,
  ];
}

describe('a supplier with SFTP', () => {
  it.skipIf(missing.length > 0)(`puts a ship notice, and gets its 997${why}`, { timeout: 240_000 }, async () => {
    courier = await openCourier();
    const args = await startServer();
    const local = join(folder, 'supplier');
    mkdirSync(local);
    writeFileSync(join(local, 'ship.x12'), notice());
    const sftp = (lines: string[]) => spawnSync('sftp', args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
    for (let tries = 0; sftp(['pwd']).status !== 0 && tries < 100; tries += 1) await sleep(200);
    const put = sftp([`put ${join(local, 'ship.x12')} ${join(courier.in, 'ship.x12')}`]);
    expect(put.status, put.stderr).toBe(0);
    const run = courier.start('--partner', 'GREENVALLEY');
    await fileIn(join(courier.in, 'done'), /^ship\.x12$/);
    const waiting = async () =>
      (await courier!.town.operator('GET', `${EDI}/interchanges?direction=OUT&status=WAITING`)).body.interchanges;
    while ((await waiting()).length > 0) await sleep(200);
    const got = sftp([`get ${courier.out}/*.x12 ${local}/`, `rm ${courier.out}/*.x12`]);
    expect(got.status, got.stderr).toBe(0);
    expect(readdirSync(courier.out)).toEqual([]);
    const responses = readdirSync(local).filter((name) => name.includes('_997_'));
    expect(responses.map((name) => readFileSync(join(local, name), 'utf8')).join('')).toContain(
      'AK2*856*0001~\nAK5*A~',
    );
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
  });
});
