/**
 * `npm run proof:stall`: no request keeps the process from answering others. While the worst bodies of every operation are
 * worked on, one after another, `/livez` is asked over another connection all the time; its longest wait is the figure. What
 * counts against the bar is the part of a wait in which the machine did not work for others, and only when it comes back.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Campaign, main, type Work } from './campaign.ts';
import { examplesOf } from './examples.ts';
import { type Described, described } from './fuzz/document.ts';
import { namesOf } from './fuzz/requests.ts';
import { type Call, credentialHeaders, OPERATOR_KEY, openService, type Service } from './service.ts';
import { candidates } from './stall/bodies.ts';
import { queries, SPECIALS, type Special } from './stall/files.ts';
import { Watch } from './stall/watch.ts';
import { freePort, ServiceProcess } from './support/process.ts';

const BAR_MS = 200;
/** A wait that comes from the machine does not come as often. */
const TRIES = 4;
const BASELINE_MS = 3_000;
const MIB = 1024 * 1024;
const LIMITS: Readonly<Record<string, number>> = { transmitInbound: 8 * MIB };
/** Limits on how often are not what is tried here, and a crowd of webhooks neither. */
const ENV = { LONG_BODY_RATE_LIMIT: 'none', RATE_LIMIT: 'none', FAILED_SIGN_IN_LIMIT: 'none' };

export const stall: Campaign = {
  name: 'stall',
  unit: 'requests',
  count: 5_000,
  control: { planted: 'each write keeps the process busy for 300 ms', count: 40 },
  async run(work) {
    const town = await openService(work, { listen: false });
    const cases = inOrder(work, casesOf(town));
    await town.close();
    const port = await freePort();
    const planted = work.planted ? { planted: { plant: 'busy' as const } } : {};
    const service = await ServiceProcess.start({ databaseUrl: town.url, port, env: ENV, ...planted });
    const watch = await Watch.start(port, service.pid);
    try {
      await sleep(BASELINE_MS);
      const baseline = await watch.during(() => sleep(BASELINE_MS));
      if (!work.planted) work.figure('baselineWaitMs', baseline.longest);
      await all(work, cases, { port, watch, town });
      if (!service.isRunning) work.fail(`the service ended: ${service.log}`);
    } finally {
      await watch.end();
      await service.stop();
    }
  },
};

interface Running {
  port: number;
  watch: Watch;
  town: Service;
}

async function all(work: Work, cases: readonly Special[], running: Running): Promise<void> {
  const tally = new Map<string, number>();
  const longest = { longest: 0, own: 0 };
  for (const [index, one] of cases.slice(0, work.count).entries()) {
    if (work.enough()) break;
    let wait = { longest: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY };
    let status = 0;
    for (let attempt = 0; attempt < TRIES && (wait.own > BAR_MS || status >= 500); attempt += 1) {
      const { method, path, headers = {}, raw = '' } = one.make(`${work.seed}x${index}x${attempt}`);
      const credential = operatorOnly(one)
        ? { authorization: `Bearer ${OPERATOR_KEY}` }
        : credentialHeaders(running.town.town.credential);
      const call = { method, path, headers: { ...credential, ...headers }, raw };
      const seen = await running.watch.during(async () => {
        status = await statusOf(running.port, call);
      });
      if (seen.own < wait.own) wait = seen;
    }
    tally.set(`${Math.floor(status / 100)}xx`, (tally.get(`${Math.floor(status / 100)}xx`) ?? 0) + 1);
    const what = `${one.operationId}: ${one.name} (${status || 'no answer'})`;
    const shown = `${Math.round(wait.own)} ms of ${Math.round(wait.longest)} ms`;
    if (process.env['PROOF_LOG'] !== undefined) work.say(`${shown} ${what}`);
    if (status >= 500) work.fail(`${what}: a status of ${status}`);
    if (wait.own > BAR_MS) work.fail(`${what}: /livez waited ${shown}, as long in each of ${TRIES} tries`);
    if (!work.planted && wait.own > longest.own) work.figure('longestWaitMs', wait.own, what);
    longest.own = Math.max(longest.own, wait.own);
    longest.longest = Math.max(longest.longest, wait.longest);
    work.done();
  }
  if (!work.planted) {
    work.figure('longestWaitOnThisMachineMs', longest.longest);
    work.figure('barMs', BAR_MS);
    work.say([...tally].map(([name, count]) => `${count} times ${name}`).join(', '));
  }
}

function operatorOnly({ operationId }: Special): boolean {
  return described.find(({ id }) => id === operationId)?.security === 'operator';
}

/** Everything to be sent: what is good first, so that the worst meets as much as there may be. */
function casesOf(town: Service): Special[] {
  const names = namesOf(town);
  const made = described.flatMap((operation) => generated(operation, town, names));
  return [...SPECIALS, ...made];
}

function generated(operation: Described, town: Service, names: ReturnType<typeof namesOf>): Special[] {
  const goods = examplesOf(town, operation.id).filter(({ status }) => status < 300);
  const filled = operation.pathParams.reduce(
    (path, name) => path.replace(`{${name}}`, encodeURIComponent(String((names[name] ?? ['x'])[0]))),
    operation.path,
  );
  const path = goods[0]?.path ?? filled;
  const { method, id: operationId } = operation;
  if (operation.body === undefined || operation.takesFile) {
    if (method !== 'GET') return [];
    const [bare = ''] = path.split('?');
    const parameters = operation.query.map(({ name }) => name);
    return queries(parameters).map(({ name, make }) => ({
      operationId,
      name,
      make: (turn) => ({ method, path: `${bare}?${make(turn).toString()}` }),
    }));
  }
  const limit = LIMITS[operationId] ?? 2 * MIB;
  const bodies = goods.flatMap(({ body }) => (body === undefined ? [] : [body]));
  return candidates(operation, bodies, names, limit).map(({ name, make, headers }) => ({
    operationId,
    name,
    make: (turn) => ({ method, path, raw: make(turn), headers: { 'content-type': 'application/json', ...headers } }),
  }));
}

/** All of them in their order; of a small count some of everything. */
function inOrder(work: Work, cases: readonly Special[]): readonly Special[] {
  if (work.count >= cases.length) return cases;
  const rated = cases.map((one) => ({ one, at: work.random() }));
  return rated.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

function statusOf(port: number, { method, path, headers, raw = '' }: Call): Promise<number> {
  const body = Buffer.from(raw);
  return new Promise((resolve) => {
    const out = request(
      {
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: { ...headers, 'content-length': String(body.length) },
        agent: false,
      },
      (answer) => {
        answer.on('error', () => resolve(answer.statusCode ?? 0));
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.resume();
      },
    );
    out.on('error', () => resolve(0));
    out.end(body);
  });
}

await main(stall, import.meta.url);
