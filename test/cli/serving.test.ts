import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/platform/storage/db.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { type Ended, folder, launch, settings } from './support.ts';

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const BACKROOM_SECRET = 'ab'.repeat(32);

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/**
 * Starts the service. `serves` resolves to true when the service listens, and to false if the service ends before it
 * listens.
 */
function start(env: Record<string, string>): { child: ChildProcess; serves: Promise<boolean>; ended: Promise<Ended> } {
  const { child, ended } = launch(env, ['serve']);
  started.push(child);
  let seen = '';
  const listens = new Promise<boolean>((resolve) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes('"address":')) resolve(true);
    });
  });
  return { child, ended, serves: Promise.race([listens, ended.then(() => false)]) };
}

describePostgresOnly('a serve whose checks of the start do not end', () => {
  it('closes its port as soon as it is stopped', async () => {
    // A replica that accepts connections and never responds.
    const hanging = createServer(() => undefined);
    hanging.listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const checked = once(hanging, 'connection');
    const replica = `postgres://backroom@127.0.0.1:${(hanging.address() as AddressInfo).port}/replica`;
    const env = {
      ...settings('unused.db'),
      DATABASE_URL: await makeDatabase(),
      DATABASE_READ_URL: replica,
      BACKROOM_SECRET,
    };
    const { child, ended, serves } = start(env);
    let out = '';
    child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
    expect(await serves).toBe(true);
    await checked;
    await sleep(1_000);
    const { hostname, port } = new URL(/"address":"(http:[^"]+)"/.exec(out)![1]!);
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(out).toContain('"msg":"stopping"'), { timeout: 5_000 });
    await sleep(1_000);
    const answer = await new Promise((resolve) => {
      connect(Number(port), hostname)
        .on('connect', () => resolve('connected'))
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(answer).toBe('ECONNREFUSED');
    expect((await ended).code).toBe(0);
    expect(out.slice(out.indexOf('"msg":"stopping"'))).not.toContain('check');
    hanging.close();
  });
});

describe('a second serve on one SQLite file', () => {
  it('is rejected with the reason and the fix, also if it names the file by a link', async () => {
    const env = settings('served.db');
    const first = start(env);
    expect(await first.serves).toBe(true);
    symlinkSync(join(folder, 'served.db'), join(folder, 'link.db'));
    for (const other of [env, settings('link.db')]) {
      const { code, out, err } = await start(other).ended;
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(
        /is served by another process\. Only one process can serve SQLite: stop that process first, or move to Post/,
      );
    }
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
  });

  it('serves when the first has been stopped, and when it has been killed', async () => {
    const env = settings('served-again.db');
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
      const { child, serves, ended } = start(env);
      expect(await serves).toBe(true);
      child.kill(signal);
      await ended;
    }
    expect(await start(env).serves).toBe(true);
  });

  it('does not lock the database for commands: one writes while it runs', async () => {
    const env = settings('beside.db');
    expect(await start(env).serves).toBe(true);
    expect((await launch(env, ['key', 'create', '--operator', '--label', 'beside']).ended).code).toBe(0);
    const store = await openStore(env['DATABASE_URL']!, { readers: 1 });
    await store.read((db) => db.selectFrom('operator_keys').select('key_id').executeTakeFirstOrThrow());
    await store.close();
  });
});
