/**
 * Campaign `fuzz`: sends requests that are made from contract/openapi.json and the small town. A validator that the
 * service does not use checks requests and responses against the document. Failures are a 5xx, an undocumented status,
 * a response that violates its schema, and acceptance of a request that the document forbids. A request of ordinary
 * size that takes 200 ms several times is also a failure. A case is one request. Before the cases, the campaign sends
 * the worst bodies to every operation with a body, and requests that are damaged on the wire. It also sends every
 * request with the edge values of each of its strings.
 */

import { type Answer, type Call, clientHeaders } from '../town/call.ts';
import { randomOf } from '../town/random.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { described, faultOfAnswer } from './fuzz/document.ts';
import { atEdges, type Material, materialOf, nextRequest, type Request } from './fuzz/requests.ts';
import { chanceOf } from './fuzz/values.ts';
import { damageOnTheWire } from './fuzz/wire.ts';
import { WORST } from './fuzz/worst.ts';
import { OPERATOR_KEY, openService, type Service } from './service.ts';

const ORDINARY_BYTES = 64 * 1024;
const SLOW_MS = 200;
const TRIES = 5;
const REQUESTS_A_TOWN = 4_000;
const ON_THE_WIRE = 200;

type Edge = (call: Call) => Promise<Answer>;

interface Bug {
  /** Plants the bug in a layer between the campaign and the service. */
  edge: (edge: Edge) => Edge;
}

const BUGS: Record<string, Bug> = {
  'unknown fields are let through': {
    edge: (edge) => (call) => edge({ ...call, headers: { ...call.headers, prefer: 'handling=lenient' } }),
  },
  'one response in fifty is a 500': {
    edge: (edge) => {
      let count = 0;
      return async (call) => (++count % 50 === 0 ? { ...(await edge(call)), status: 500 } : edge(call));
    },
  },
  'an error has an undocumented status': {
    edge: (edge) => async (call) => {
      const answer = await edge(call);
      return answer.status === 404 ? { ...answer, status: 410 } : answer;
    },
  },
  'a response lacks a field': {
    edge: (edge) => async (call) => {
      const answer = await edge(call);
      return { ...answer, text: answer.text.replace(/"(createdAt|pageId|status)":("[^"]*"|\d+),/, '') };
    },
  },
  'a return lacks its totals': {
    edge: (edge) => async (call) => {
      const answer = await edge(call);
      return { ...answer, text: answer.text.replace(/"totals":\{[^}]*\},/, '') };
    },
  },
  'one request in twenty waits': {
    edge: (edge) => async (call) => {
      if (JSON.stringify(call).length % 20 === 0) await new Promise((resolve) => setTimeout(resolve, SLOW_MS + 20));
      return edge(call);
    },
  },
};

export const fuzz: Campaign = {
  name: 'fuzz',
  unit: 'requests',
  count: 5_000,
  control: {
    planted:
      'the edge lets unknown fields through, returns 500, an undocumented status, a body without a field, a return without its totals, and late',
    count: 600,
    bugs: Object.keys(BUGS),
  },
  async run(work) {
    const bug = work.bug === undefined ? undefined : BUGS[work.bug];
    const tally = new Map<string, number>();
    let isFirst = !work.planted;
    for (let done = 0; done < work.count && !work.enough(); done += REQUESTS_A_TOWN) {
      const service = await openService(work, { neighbours: true, listen: isFirst });
      try {
        const edge = bug === undefined ? service.call : bug.edge(service.call);
        const chance = chanceOf(work.random);
        if (isFirst) {
          await worst(work, service);
          for (const fault of await damageOnTheWire(service, randomOf(work.seed + 1), ON_THE_WIRE)) work.fail(fault);
        }
        const material = materialOf(service, chance);
        if (isFirst) {
          let edges = 0;
          for (const request of atEdges(material)) {
            const fault = judge(request, await edge(request.call));
            if (fault !== undefined)
              work.fail(`${request.operation.id}, ${request.what}: ${fault}; ${shown(request.call)}`);
            edges += 1;
          }
          work.say(`${edges} strings at their edges`);
        }
        isFirst = false;
        for (let index = 0; index < Math.min(REQUESTS_A_TOWN, work.count - done) && !work.enough(); index += 1) {
          await one(work, material, edge, tally);
        }
        if ((await service.call({ method: 'GET', path: '/readyz' })).status !== 200) work.fail('/readyz is not 200');
      } finally {
        await service.close();
      }
    }
    const kinds = [...tally].sort().map(([kind, count]) => `${kind} ${count}`);
    if (!work.planted) work.say(kinds.join(', '));
  },
};

async function one(work: Work, material: Material, edge: Edge, tally: Map<string, number>): Promise<void> {
  const request = nextRequest(material);
  const started = performance.now();
  const answer = await edge(request.call);
  const took = performance.now() - started;
  const kind = `${request.mustFail ? 'forbidden' : 'allowed'} ${Math.floor(answer.status / 100)}xx`;
  tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const fault = judge(request, answer) ?? (await lateness(request, edge, took));
  if (fault !== undefined) work.fail(`${request.operation.id}, ${request.what}: ${fault}; ${shown(request.call)}`);
  work.done();
}

function judge({ operation, mustFail, call }: Request, { status, headers, text }: Answer): string | undefined {
  if (status >= 500) return `returned ${status} ${text.slice(0, 200)}`;
  if (headers['x-request-id'] === undefined) return 'the response has no X-Request-Id';
  if (mustFail && status < 400) return `is forbidden by the document and returned ${status}`;
  if (!isAtHome(operation.path, call.path)) return undefined;
  return faultOfAnswer(operation, status, headers['content-type'], text);
}

/**
 * Returns whether the path still fits the template of the operation. A changed path may match another operation or no
 * operation, so the response to it is not checked against this operation.
 */
function isAtHome(template: string, path: string): boolean {
  const pattern = template.replace(/\{\w+\}/g, '[^/?]+');
  return new RegExp(`^${pattern}(\\?.*)?$`).test(path);
}

/**
 * Sends a slow request a few more times, because the machine may have been busy. Returns a failure if every attempt is
 * slow.
 */
async function lateness({ call }: Request, edge: Edge, took: number): Promise<string | undefined> {
  const size = Buffer.byteLength(call.raw ?? JSON.stringify(call.body ?? ''));
  if (took < SLOW_MS || size > ORDINARY_BYTES) return undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const started = performance.now();
    await edge(call);
    if (performance.now() - started < SLOW_MS) return undefined;
  }
  return `took ${Math.round(took)} ms, and longer than ${SLOW_MS} ms ${TRIES} times more`;
}

/** Sends every worst body to every operation that takes a body. */
async function worst(work: Work, service: Service): Promise<void> {
  let slowest = { ms: 0, what: '' };
  for (const [what, make] of Object.entries(WORST)) {
    const raw = make();
    for (const operation of described) {
      if (operation.body === undefined) continue;
      const credentials =
        operation.security === 'operator'
          ? { authorization: `Bearer ${OPERATOR_KEY}` }
          : clientHeaders(service.town.credential);
      const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => HOME[name] ?? 'X1');
      const headers = { 'content-type': 'application/json', ...credentials };
      const started = performance.now();
      const query = operation.query.some(({ required }) => required) ? '?queueId=WAITING_FOR_PICK_ISPU' : '';
      const answer = await service.call({ method: operation.method, path: path + query, headers, raw });
      const ms = performance.now() - started;
      if (ms > slowest.ms) slowest = { ms, what: `${what} to ${operation.id}` };
      const request = {
        operation,
        call: { method: operation.method, path },
        what,
        mustFail: raw.length > 0 || operation.needsBody,
      };
      const fault = judge(request, answer);
      if (fault !== undefined) work.fail(`${operation.id}, ${what}: ${fault}`);
    }
  }
  work.say(`worst bodies: the slowest was ${slowest.what}, ${Math.round(slowest.ms)} ms`);
}

const HOME: Readonly<Record<string, string>> = {
  clientId: 'TOWN',
  storeId: 'TOWN_US',
  nodeId: 'TOWN-Store001',
  sellerId: 'TOWNS',
  itemId: '21-MUG-WHT',
};

function shown({ method, path, headers, body, raw }: Call): string {
  const { authorization: _authorization, apikey: _apikey, ...others } = headers ?? {};
  const sent = JSON.stringify(raw === undefined ? (body ?? null) : raw.toString('latin1'));
  return `${method} ${path} ${JSON.stringify(others)} ${sent.slice(0, 1_500)}`;
}

await main(fuzz, import.meta.url);
