import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Tally } from '../../src/service/cli/worker-metrics.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { backroom, type Ended, launch, settings } from './support.ts';

const OPERATOR_KEY = 'operator-key-of-the-tests';

// Each starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

interface Running {
  address: string;
  /** Process ids of the workers that have served, in the order of their start. */
  pids: () => number[];
  log: () => string;
  tell: (signal: NodeJS.Signals) => void;
  stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

interface Answered {
  status: number;
  text: string;
  replayed: boolean;
}

const started: ChildProcess[] = [];
// Workers end with the process that leads them.
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (isSo()) return;
    await sleep(20);
  }
  throw new Error(`It never came to this: ${what}`);
}

async function serveWith(workers: number, env: Record<string, string>): Promise<Running> {
  const { child, ended } = launch(env, ['serve', '--workers', String(workers)]);
  started.push(child);
  let log = '';
  child.stdout!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const failed = ended.then(({ out, err }) => Promise.reject(new Error(`it ended: ${out}${err}`)));
  failed.catch(() => undefined);
  await Promise.race([failed, until('every worker serves', () => log.includes('"address":'))]);
  return {
    address: /"address":"(http:[^"]+)"/.exec(log)![1]!,
    pids: () => [...log.matchAll(/"pid":(\d+),"msg":"worker \d+ serves"/g)].map((match) => Number(match[1])),
    log: () => log,
    tell: (signal) => child.kill(signal),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function environment(): Promise<Record<string, string>> {
  return {
    DATABASE_URL: await makeDatabase(),
    BACKROOM_SECRET: 'ab'.repeat(32),
    BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
    LOG_LEVEL: 'info',
    PORT: '0',
  };
}

/** One request on a connection of its own, so that the workers take turns; undefined when the connection broke. */
async function ask(
  address: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered | undefined> {
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        connection: 'close',
        authorization: `Bearer ${OPERATOR_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') === 'true' };
  } catch {
    return undefined;
  }
}

const CLIENT = '/operator/v1/clients/W';
const client = { name: 'W', catalogIds: ['21'] };

/** Names of the processes that `pid` has started. */
function childrenOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

describe('serve --workers', () => {
  it('is refused on SQLite with the reason and the way out', async () => {
    const { code, out, err } = await backroom(settings('workers.db'), ['serve', '--workers', '2']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/SQLite is served by one process/);
    expect(err).toMatch(/PostgreSQL/);
  });

  it.each(['0', '-1', '1.5', 'two', '257', ''])('%j workers are a wrong call', async (count) => {
    const { code } = await backroom(settings('workers.db'), ['serve', `--workers=${count}`]);
    expect(code).toBe(2);
  });
});

describe('the sum of metrics', () => {
  const metricsOf = async (requests: number, memory: number) => {
    const registry = new Registry();
    new Counter({ name: 'requests_total', help: 'x', registers: [registry] }).inc(requests);
    new Gauge({ name: 'memory', help: 'x', registers: [registry] }).set(memory);
    return registry.getMetricsAsJSON();
  };

  it('adds up what the processes say, and counts what a dead one had counted, but not what it was', async () => {
    const tally = new Tally();
    tally.set(1, await metricsOf(10, 100));
    tally.set(2, await metricsOf(5, 200));
    expect(await tally.text([])).toMatch(/^requests_total 15$(?:.|\n)*^memory 300$/m);
    tally.leave(1);
    expect(await tally.text([])).toMatch(/^requests_total 15$(?:.|\n)*^memory 200$/m);
    tally.set(3, await metricsOf(1, 50));
    tally.leave(2);
    expect(await tally.text([])).toMatch(/^requests_total 16$(?:.|\n)*^memory 50$/m);
  });
});

describePostgresOnly('two workers on one port', () => {
  it('lose nothing that was acknowledged when one is killed, and the dead one is replaced', async () => {
    const running = await serveWith(2, await environment());
    const first = running.pids();
    expect(first).toHaveLength(2);
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const write = async (writer: number) => {
      for (let count = 0; !isOver; count += 1) {
        const id = `W-${writer}-${count}`;
        const answer = await ask(running.address, 'PUT', `/operator/v1/clients/${id}`, { body: client });
        if (answer !== undefined) statuses.add(answer.status);
        if (answer?.status === 201) acknowledged.push(id);
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    await until('some were written', () => acknowledged.length >= 20);
    process.kill(first[0]!, 'SIGKILL');
    await until('the dead one is replaced', () => running.pids().length === 3);
    const before = acknowledged.length;
    await until('more were written', () => acknowledged.length >= before + 20);
    isOver = true;
    await Promise.all(writers);
    expect([...statuses]).toEqual([201]);
    for (const id of acknowledged) {
      expect((await ask(running.address, 'GET', `/operator/v1/clients/${id}`))?.status, id).toBe(200);
    }
    const metrics = (await ask(running.address, 'GET', '/metrics'))!.text;
    expect(metrics).toMatch(/^backroom_workers 2$/m);
    expect(metrics).toMatch(/^backroom_workers_replaced_total 1$/m);
    expect((await running.stop()).code).toBe(0);
  });

  it('answer /metrics with the sum, whichever of them is asked', async () => {
    const running = await serveWith(2, await environment());
    for (let count = 0; count < 10; count += 1) await ask(running.address, 'GET', '/livez');
    const counts = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { text } = (await ask(running.address, 'GET', '/metrics'))!;
        return /^backroom_request_duration_seconds_count\{operation="\/livez",status="200"\} (\d+)$/m.exec(text)?.[1];
      }),
    );
    expect(counts).toEqual(['10', '10', '10', '10']);
    await running.stop();
  });

  it('do the work of one Idempotency-Key once, however many of them get it at the same time', async () => {
    const running = await serveWith(2, await environment());
    await ask(running.address, 'PUT', CLIENT, { body: client });
    for (let round = 0; round < 10; round += 1) {
      const headers = { 'idempotency-key': `round-${round}` };
      const body = { label: `round ${round}` };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => ask(running.address, 'POST', `${CLIENT}/credentials`, { body, headers })),
      );
      const done = answers.filter((answer) => answer?.status === 201);
      expect(done.filter((answer) => answer?.replayed === false)).toHaveLength(1);
      expect(new Set(done.map((answer) => answer?.text)).size).toBe(1);
      for (const answer of answers) expect([201, 409]).toContain(answer?.status);
    }
    const { text } = (await ask(running.address, 'GET', `${CLIENT}/credentials?limit=100`))!;
    expect(text.match(/"label":"round \d"/g)).toHaveLength(10);
    await running.stop();
  });

  it('refuse a revoked key within a second, whichever of them revoked it', async () => {
    const running = await serveWith(2, await environment());
    await ask(running.address, 'PUT', CLIENT, { body: client });
    const made = (await ask(running.address, 'POST', `${CLIENT}/credentials`, { body: { label: 'L' } }))!;
    const { credentialId, apiKey, username, password } = JSON.parse(made.text) as Record<string, string>;
    const headers = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      apikey: apiKey!,
    };
    const read = () => ask(running.address, 'DELETE', '/item-service/clients/W/items/21-X', { headers });
    const all = async () => (await Promise.all([1, 2, 3, 4, 5, 6].map(read))).map((answer) => answer?.status);
    expect(await all()).not.toContain(403);
    expect((await ask(running.address, 'DELETE', `${CLIENT}/credentials/${credentialId}`))?.status).toBe(204);
    await sleep(1_000);
    expect(await all()).toEqual(Array(6).fill(403));
    await running.stop();
  });

  it('stop together on SIGTERM with exit code 0, and none stays behind', async () => {
    const running = await serveWith(2, await environment());
    const pids = running.pids();
    const { code, out } = await running.stop();
    expect(code).toBe(0);
    expect(out.match(/"msg":"stopping"/g)).toHaveLength(2);
    for (const pid of pids) expect(() => childrenOf(pid)).toThrow();
  });

  it('are told of a SIGHUP to the first process, and go on', async () => {
    const running = await serveWith(2, await environment());
    running.tell('SIGHUP');
    await until('every worker has heard it', () => running.log().split('"msg":"there is no certificate').length === 3);
    expect((await ask(running.address, 'GET', '/readyz'))?.status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });

  it('end the start when they cannot listen, and say why', async () => {
    const env = await environment();
    const running = await serveWith(2, env);
    const { port } = new URL(running.address);
    const { code, err } = await backroom({ ...env, PORT: port }, ['serve', '--workers', '2']);
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
    await running.stop();
  });
});
