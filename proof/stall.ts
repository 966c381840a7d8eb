/**
 * `npm run proof:stall`: no request may block the process for other requests. The campaign sends the worst requests to
 * every route of the server, one after another, with a credential and without. Meanwhile it requests `/livez`
 * continuously over another connection and records the longest wait. A wait counts only if it recurs. The time in which
 * the machine ran other programs is subtracted.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationNamed } from '../src/service/operations.ts';
import { type Call, clientHeaders } from '../town/call.ts';
import { freePort } from '../town/free-port.ts';
import { ServiceProcess } from '../town/service-process.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { examplesOf } from './examples.ts';
import { type Described, described } from './fuzz/document.ts';
import { namesOf } from './fuzz/requests.ts';
import { OPERATOR_KEY, openService, type Service } from './service.ts';
import { candidates } from './stall/bodies.ts';
import { queries, SPECIALS, type Special } from './stall/files.ts';
import { anything, filled, linksOf, type Route, routesOf, UNKNOWN } from './stall/routes.ts';
import { Watch } from './stall/watch.ts';

const BAR_MS = 200;
/**
 * Number of attempts of a slow request. A wait that the machine causes does not recur this often; the planted wait
 * occurs at every write.
 */
const TRIES = 4;
/**
 * Milliseconds in which the campaign requests only `/livez`, first to warm up, then to measure the baseline. A small
 * run takes less time.
 */
const BASELINE_MS = 3_000;
const BASELINE_MS_A_CASE = 100;
const MIB = 1024 * 1024;
const LIMITS: Readonly<Record<string, number>> = { transmitInbound: 8 * MIB };
/** Rate limits are off, because this campaign does not test them. */
const ENV = { LONG_BODY_RATE_LIMIT: 'none', RATE_LIMIT: 'none', FAILED_SIGN_IN_LIMIT: 'none' };

export const stall: Campaign = {
  name: 'stall',
  unit: 'requests',
  count: 5_000,
  control: { planted: 'each write keeps the process busy for 300 ms', count: 40 },
  async run(work) {
    const town = await openService(work, { listen: false });
    const routes = routesOf(town.routes);
    const cases = inOrder(work, casesOf(town, routes));
    await town.close();
    if (!work.planted) work.figure('routes', routes.length);
    const port = await freePort();
    const planted = work.planted ? { planted: { plant: 'busy' as const } } : {};
    const service = await ServiceProcess.start({ databaseUrl: town.url, port, env: ENV, ...planted });
    const watch = await Watch.start(port, service.pid);
    try {
      if (!work.planted) {
        const baselineMs = Math.min(BASELINE_MS, work.count * BASELINE_MS_A_CASE);
        await sleep(baselineMs);
        const baseline = await watch.during(() => sleep(baselineMs));
        work.figure('baselineWaitMs', baseline.longest);
      }
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

async function all(work: Work, given: readonly Special[], running: Running): Promise<void> {
  const tally = new Map<string, number>();
  const longest = { longest: 0, own: 0 };
  // The HTML pages that a page links to are appended to `cases`, so they are requested last.
  const cases = [...given];
  const seenPaths = new Set<string>();
  for (let index = 0; index < Math.min(cases.length, work.count); index += 1) {
    const one = cases[index]!;
    if (work.enough()) break;
    let wait = { longest: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY };
    let status = 0;
    for (let attempt = 0; attempt < TRIES && (wait.own > BAR_MS || status >= 500); attempt += 1) {
      const { method, path, headers = {}, raw = '' } = one.make(`${work.seed}x${index}x${attempt}`);
      const call = { method, path, headers: { ...(await credentialOf(one, running)), ...headers }, raw };
      const seen = await running.watch.during(async () => {
        const told = await tell(running.port, call);
        status = told.status;
        const fresh = linksOf(told.page, path).filter((link) => !seenPaths.has(link));
        for (const link of fresh) seenPaths.add(link);
        cases.push(...fresh.map(pageAt));
      });
      if (seen.own < wait.own) wait = seen;
    }
    tally.set(`${Math.floor(status / 100)}xx`, (tally.get(`${Math.floor(status / 100)}xx`) ?? 0) + 1);
    const what = `${one.operationId}: ${one.name} (${status || 'no response'})`;
    const shown = `${Math.round(wait.own)} ms of ${Math.round(wait.longest)} ms`;
    if (process.env['PROOF_LOG'] !== undefined) work.say(`${shown} ${what}`);
    if (status >= 500) work.fail(`${what}: a status of ${status}`);
    if (wait.own > BAR_MS) work.fail(`${what}: /livez waited ${shown}, too long in each of ${TRIES} tries`);
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

/** Returns the headers with the credential of the case. */
async function credentialOf(one: Special, { port, town: { town } }: Running): Promise<Record<string, string>> {
  if (one.as === undefined) {
    return operatorOnly(one) ? { authorization: `Bearer ${OPERATOR_KEY}` } : clientHeaders(town.credential);
  }
  if (one.as === 'nobody') return OWN_PAGE;
  const { userId, password } = town.people.manager;
  const raw = JSON.stringify({ clientId: 'TOWN', userId, password });
  const headers = { ...OWN_PAGE, 'content-type': 'application/json' };
  const { cookie } = await tell(port, { method: 'POST', path: '/session', headers, raw });
  return { ...OWN_PAGE, cookie };
}

/**
 * The headers that a browser sends from a page of the site. Without them the service rejects a sign-in before it reads
 * the body.
 */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

function pageAt(path: string): Special {
  return { operationId: 'page', name: path, as: 'nobody', make: () => ({ method: 'GET', path }) };
}

function operatorOnly({ operationId }: Special): boolean {
  return described.find(({ id }) => id === operationId)?.security === 'operator';
}

/** Returns all requests. `SPECIALS` come first: they create much data, and the generated requests then run on it. */
function casesOf(town: Service, routes: readonly Route[]): Special[] {
  const names = namesOf(town);
  const made = [...routes, ...UNKNOWN].flatMap((route) => {
    const operation = described.find(({ method, path }) => method === route.method && path === route.path);
    return operation === undefined
      ? byBoth(anything(route))
      : withAndWithout(operation, generated(operation, town, names));
  });
  return [...SPECIALS, ...made];
}

function byBoth(cases: readonly Special[]): Special[] {
  return cases.flatMap((one) => [one, { ...one, name: `${one.name}, without a credential`, as: 'nobody' as const }]);
}

/**
 * Number of cases of each operation that are also sent without a credential. Except in public operations, the service
 * rejects such requests before it reads the body.
 */
const REFUSED = 4;

function withAndWithout(operation: Described, given: readonly Special[]): Special[] {
  const { id, method, path } = operation;
  const {
    access: { auth },
  } = operationNamed(id);
  // For an operation without a body, the worst case is a long id that does not exist. Such a request does not change
  // the town.
  const cases = given.length > 0 ? given : anything({ method, path: filled(path, 'x'.repeat(500)) });
  const nobody = cases.map((one) => ({ ...one, name: `${one.name}, without a credential`, as: 'nobody' as const }));
  if (auth === 'none' || auth === 'browser') return nobody;
  const own = auth === 'session' ? cases.map((one) => ({ ...one, as: 'person' as const })) : cases;
  return [...own, ...nobody.slice(0, REFUSED)];
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

/**
 * Returns all cases in their order. With a smaller count, the cases are in random order, so that every kind is sent.
 */
function inOrder(work: Work, cases: readonly Special[]): readonly Special[] {
  if (work.count >= cases.length) return cases;
  const rated = cases.map((one) => ({ one, at: work.random() }));
  return rated.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

/** A response. `page` is its HTML, or empty for other content. */
interface Told {
  status: number;
  page: string;
  cookie: string;
}

function tell(port: number, { method, path, headers, raw = '' }: Call): Promise<Told> {
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
        const isPage = String(answer.headers['content-type']).startsWith('text/html');
        const cookie = answer.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
        let page = '';
        const end = () => resolve({ status: answer.statusCode ?? 0, page, cookie });
        answer.on('data', (chunk: Buffer) => {
          if (isPage) page += chunk.toString();
        });
        answer.on('error', end);
        answer.on('end', end);
      },
    );
    out.on('error', () => resolve({ status: 0, page: '', cookie: '' }));
    out.end(body);
  });
}

await main(stall, import.meta.url);
