import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Tally } from '../../src/service/cli/worker-metrics.ts';
import type { Secrets } from '../../src/service/demo/town.ts';
import { clientHeaders } from '../../town/call.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { backroom, type Ended, launch, settings } from './support.ts';

const OPERATOR_KEY = 'operator-key-of-the-tests';

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

interface Running {
  address: string;
  /** Process ids of the workers that have started to serve, in the order of their start. */
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
// Workers end with their primary process.
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

/** Sends one request on a new connection, so that the workers take turns. Returns undefined if the connection broke. */
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

interface Relay {
  url: string;
  /** Keeps the bytes of both directions, as a network that drops packets. */
  hold: () => void;
  goOn: () => void;
  close: () => void;
}

/** Opens a port that passes connections on to the server of a database. */
async function relayTo(database: string): Promise<Relay> {
  const url = new URL(database);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5_432);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    if (isHeld) socket.pause();
  };
  const relay = createServer((near) => {
    const far = folder === null ? connect(port, url.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) keep(socket);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const all = (work: (socket: Socket) => void) => {
    for (const socket of sockets) work(socket);
  };
  return {
    url: url.href,
    hold: () => {
      isHeld = true;
      all((socket) => socket.pause());
    },
    goOn: () => {
      isHeld = false;
      all((socket) => socket.resume());
    },
    close: () => {
      all((socket) => socket.destroy());
      relay.close();
    },
  };
}

const CLIENT = '/operator/v1/clients/W';
const client = { name: 'W', catalogIds: ['21'] };

/** Returns the ids of the child processes of `pid`. @throws Error if the process has ended. */
function childrenOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

describe('serve --workers', () => {
  it('is rejected on SQLite with the reason and the fix', async () => {
    const { code, out, err } = await backroom(settings('workers.db'), ['serve', '--workers', '2']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/Only one process can serve SQLite/);
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

  it('adds up the values of the processes, with the counters of a dead one and without its gauges', async () => {
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

  it('has the counters of a process that does not respond, but not its gauges, until it responds again', async () => {
    const tally = new Tally();
    tally.set(1, await metricsOf(10, 100));
    tally.set(2, await metricsOf(5, 200));
    tally.late(1);
    tally.late(1);
    tally.late(3);
    expect(await tally.text([])).toMatch(/^requests_total 15$(?:.|\n)*^memory 200$/m);
    tally.set(1, await metricsOf(11, 100));
    expect(await tally.text([])).toMatch(/^requests_total 16$(?:.|\n)*^memory 300$/m);
  });
});

describePostgresOnly('two workers on one port', () => {
  it('lose no acknowledged write when one is killed, and the dead one is replaced', async () => {
    const env = await environment();
    const spawnedAt = Date.now() / 1000;
    const running = await serveWith(2, env);
    const servedAt = Date.now() / 1000;
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
    // The metric has the start time of the primary process only, not of its workers.
    const startedAt = Number(/^process_start_time_seconds (\d+)$/m.exec(metrics)?.[1]);
    expect(startedAt).toBeGreaterThanOrEqual(Math.floor(spawnedAt));
    expect(startedAt).toBeLessThanOrEqual(Math.ceil(servedAt));
    expect(metrics).toMatch(/^backroom_workers_replaced_total 1$/m);
    expect((await running.stop()).code).toBe(0);
  });

  it('return the sum at /metrics, whichever worker responds', async () => {
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

  it('show at /metrics that the database does not respond, and that it responds again', async () => {
    const env = await environment();
    const relay = await relayTo(env['DATABASE_URL']!);
    const running = await serveWith(2, { ...env, DATABASE_URL: relay.url });
    const scrape = async () => (await ask(running.address, 'GET', '/metrics'))?.text ?? '';
    const rejected = (text: string) =>
      Number(
        /^backroom_request_duration_seconds_count\{operation="\/readyz",status="503"\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    const before = await scrape();
    expect(before).toMatch(/^backroom_ready\{reason="none"\} 1$/m);
    expect(before).toMatch(/^backroom_build_info/m);
    relay.hold();
    for (let count = 1; count <= 2; count += 1) {
      expect((await ask(running.address, 'GET', '/readyz'))?.status).toBe(503);
      const during = await scrape();
      expect(during).toMatch(/^backroom_ready\{reason="unreachable"\} 0$/m);
      expect(during).not.toMatch(/^backroom_ready.* 1$/m);
      expect(rejected(during)).toBe(count);
    }
    relay.goOn();
    await vi.waitFor(async () => expect(await scrape()).toMatch(/^backroom_ready\{reason="none"\} 1$/m), 30_000);
    await running.stop();
    relay.close();
  });

  it('perform the write of one Idempotency-Key once, also if several of them get it concurrently', async () => {
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

  it('reject a revoked key within a second, whichever worker revoked it', async () => {
    const running = await serveWith(2, await environment());
    await ask(running.address, 'PUT', CLIENT, { body: client });
    const made = (await ask(running.address, 'POST', `${CLIENT}/credentials`, { body: { label: 'L' } }))!;
    const secrets = JSON.parse(made.text) as Secrets;
    const headers = clientHeaders(secrets);
    const read = () => ask(running.address, 'DELETE', '/item-service/clients/W/items/21-X', { headers });
    const all = async () => (await Promise.all([1, 2, 3, 4, 5, 6].map(read))).map((answer) => answer?.status);
    expect(await all()).not.toContain(403);
    expect((await ask(running.address, 'DELETE', `${CLIENT}/credentials/${secrets.credentialId}`))?.status).toBe(204);
    await sleep(1_000);
    expect(await all()).toEqual(Array(6).fill(403));
    await running.stop();
  });

  it('stop together on SIGTERM with exit code 0, and none remains', async () => {
    const running = await serveWith(2, await environment());
    const pids = running.pids();
    const { code, out } = await running.stop();
    expect(code).toBe(0);
    expect(out.match(/"msg":"stopping"/g)).toHaveLength(2);
    for (const pid of pids) expect(() => childrenOf(pid)).toThrow();
  });

  it('get a SIGHUP from the primary process, and continue', async () => {
    const running = await serveWith(2, await environment());
    running.tell('SIGHUP');
    await until('every worker has heard it', () => running.log().split('"msg":"there is no certificate').length === 3);
    expect((await ask(running.address, 'GET', '/readyz'))?.status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });

  it('end the start if they cannot listen, and report the reason', async () => {
    const env = await environment();
    const running = await serveWith(2, env);
    const { port } = new URL(running.address);
    const { code, err } = await backroom({ ...env, PORT: port }, ['serve', '--workers', '2']);
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} of 127.0.0.1 is used by another process`);
    await running.stop();
  });
});
