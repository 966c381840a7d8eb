import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testProgram } from '../../town/test-program.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { launch, settings } from './support.ts';

// Each test starts processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const close = { headers: { connection: 'close' } };

/** Starts the service and waits until it listens. `leave` closes the pipe that reads its standard output. */
async function serve(env: Record<string, string>, args: readonly string[] = ['serve']) {
  const { child, ended: whole } = launch({ ...env, PORT: '0', SHUTDOWN_GRACE_MS: '2000' }, args);
  started.push(child);
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  const base = await new Promise<string>((resolve, reject) => {
    let seen = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const address = /"address":"([^"]+)"/.exec(seen)?.[1];
      if (address !== undefined) resolve(address);
    });
    void whole.then(({ code, err }) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
  return { child, base, ended, whole, leave: () => child.stdout!.destroy() };
}

/** Numbers of requests after the reader has closed and before the service stops. Each request writes one log line. */
const REFUSED = [0, 1, 200];

describe('after the reader of standard output has closed', () => {
  it.each(REFUSED)('SIGTERM ends the service after %i unread lines', async (count) => {
    const { child, base, ended, leave } = await serve(settings(`pipe-${count}.db`));
    leave();
    for (let n = 0; n < count; n += 1) expect((await fetch(`${base}/nowhere`, close)).status).toBe(404);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('a second signal ends it at once, also with unwritten output', async () => {
    const { child, ended, leave } = await serve(settings('pipe-twice.db'));
    leave();
    // Both signals are pending when the stopped process continues. Otherwise the process could end before the second
    // signal arrives.
    for (const signal of ['SIGSTOP', 'SIGTERM', 'SIGINT', 'SIGCONT'] as const) child.kill(signal);
    const [code, signal] = await ended;
    expect(signal).toBe(null);
    expect([0, 1]).toContain(code);
  });

  it('the log before is complete to the last line', async () => {
    // 300 concurrent requests must not count as overload on a busy machine.
    const env = { ...settings('pipe-read.db'), MAX_IN_FLIGHT: '100000', MAX_WAIT_MS: '600000' };
    const { child, base, whole } = await serve(env);
    const answers = await Promise.all(Array.from({ length: 300 }, () => fetch(`${base}/nowhere`, close)));
    expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(404));
    child.kill('SIGTERM');
    const { code, out } = await whole;
    expect(code).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines.filter((line) => line.includes('"code":"NOT_FOUND"'))).toHaveLength(300);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ msg: 'stopping' });
  });
});

describe.skipIf(!existsSync('/dev/full'))('with standard output on a full disk', () => {
  /** Runs a command whose standard output is a full disk. */
  async function full(env: Record<string, string>, args: readonly string[]) {
    const program = testProgram();
    const child = spawn('sh', ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, program.main, ...args], {
      env: { PATH: process.env.PATH, ...program.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    started.push(child);
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, err };
  }

  it('a command ends with 1 and one sentence', async () => {
    for (const args of [['version'], ['migrate'], ['doctor'], ['partitions', '--help']]) {
      const { code, err } = await full(settings('full.db'), args);
      expect({ args, code, err }).toEqual({
        args,
        code: 1,
        err: expect.stringMatching(/^backroom: Standard output cannot be written: ENOSPC: .*\n$/),
      });
    }
  });

  it('`key create` and `key rotate` name the key to revoke, because no person has seen it', async () => {
    const env = settings('full-key.db');
    const create = await full(env, ['key', 'create', '--operator']);
    expect(create).toMatchObject({ code: 1, err: expect.stringContaining('Standard output cannot be written') });
    const keyOf = (err: string) => /revoke it: backroom key revoke (\w+) --operator\n/.exec(err)?.[1] ?? err;
    const rotate = await full(env, ['key', 'rotate', keyOf(create.err), '--operator', '--json']);
    const id = keyOf(rotate.err);
    expect(id).not.toBe(keyOf(create.err));
    expect(await launch(env, ['key', 'revoke', id, '--operator']).ended).toMatchObject({ code: 0 });
  });
});

describePostgresOnly('workers after the reader of standard output has closed', () => {
  it.each(REFUSED)('end by SIGTERM after %i unread lines', async (count) => {
    const env = { DATABASE_URL: await makeDatabase(), BACKROOM_SECRET: 'ab'.repeat(32), LOG_LEVEL: 'info' };
    const { child, base, ended, leave } = await serve(env, ['serve', '--workers', '2']);
    leave();
    for (let n = 0; n < count; n += 1) expect((await fetch(`${base}/nowhere`, close)).status).toBe(404);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
