/**
 * Checks of deploy/systemd: systemd accepts the units, and the service sends notifications and heartbeats to systemd.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, DEPLOY, must, outputOf, ran, serve, started, until } from './check.ts';

const UNITS = join(DEPLOY, 'systemd');
/** Maximum exposure level that `systemd-analyze security` may report; 10 is the worst. */
const EXPOSURE_MOST = 2;

/** A Python program that replaces systemd: for each datagram that its socket receives, it prints one line. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(receiver.recv(4096).decode(), flush=True)
`;

export const SYSTEMD: readonly Check[] = [
  {
    name: 'systemd units',
    tools: ['systemd-analyze'],
    run: async (scratch) => {
      const names = readdirSync(UNITS).filter((name) => /\.(?:service|timer)$/.test(name));
      const program = join(scratch, 'backroom');
      writeFileSync(program, '#!/bin/sh\n');
      chmodSync(program, 0o755);
      // systemd-analyze requires that the program of a unit exists, so a placeholder replaces it.
      const files = names.map((name) => {
        const file = join(scratch, name);
        writeFileSync(file, readFileSync(join(UNITS, name), 'utf8').replaceAll('/opt/backroom/bin/backroom', program));
        return file;
      });
      writeDropIn(scratch);
      const { code, out, err } = await ran('systemd-analyze', ['verify', '--man=no', ...files]);
      must(code === 0 && out + err === '', `systemd-analyze verify: ${out}${err}`);
      const levels = await Promise.all(names.filter((name) => name.endsWith('.service')).map(exposureOf));
      return levels.map(({ name, level }) => `${name} ${level}`).join(', ');
    },
  },
  {
    name: 'systemd notify and watchdog',
    tools: ['systemd-notify', 'python3'],
    run: async (scratch) => {
      const socket = join(scratch, 'notify');
      const manager = started('python3', ['-c', RECEIVER, socket]);
      try {
        await until(() => manager.said().includes('bound'), 'the socket', manager);
        const service = await serve(scratch, { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1000000' });
        const words = () => manager.said().split('\n');
        await until(() => words().includes('READY=1'), 'READY=1', service);
        await until(() => words().filter((word) => word === 'WATCHDOG=1').length >= 2, 'WATCHDOG=1, twice', service);
        const code = await service.stop();
        must(code === 0, `the service ended with ${code}`);
        await until(() => words().includes('STOPPING=1'), 'STOPPING=1');
      } finally {
        await manager.stop('SIGKILL');
      }
      return undefined;
    },
  },
];

/**
 * Writes the drop-in for backroom-copies.service from docs/how-to/run-with-systemd.md, so that systemd checks it too.
 */
function writeDropIn(scratch: string): void {
  const page = readFileSync(join(DEPLOY, '../docs/how-to/run-with-systemd.md'), 'utf8');
  const lines = /^```ini\n(\[Unit\]\n.*?)^```$/ms.exec(page)?.[1];
  must(lines !== undefined, 'docs/how-to/run-with-systemd.md has no drop-in for backroom-copies.service');
  const folder = join(scratch, 'backroom-copies.service.d');
  mkdirSync(folder);
  writeFileSync(join(folder, 'disk.conf'), lines);
}

async function exposureOf(name: string): Promise<{ name: string; level: number }> {
  const out = await outputOf('systemd-analyze', ['security', '--offline=true', '--no-pager', join(UNITS, name)]);
  const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(out)?.[1]);
  must(level <= EXPOSURE_MOST, `${name} has an exposure of ${level}; at most ${EXPOSURE_MOST}`);
  return { name, level };
}
