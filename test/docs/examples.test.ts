import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick } from '../../examples/client/pick.ts';
import { bringBack } from '../../examples/returns/return.ts';
import { type ListeningTown, listenTown } from './listening.ts';
import { pages } from './pages.ts';

let listening: ListeningTown;
const folder = mkdtempSync(join(tmpdir(), 'backroom-examples-'));
beforeAll(async () => {
  listening = await listenTown();
});
afterAll(async () => {
  await listening.town.close();
  rmSync(folder, { recursive: true });
});

interface Example {
  /**
   * Page of the example. The examples of a page run in one folder; each has the variables that the earlier examples
   * exported.
   */
  page: string;
  /** Page and line. */
  at: string;
  script: string;
  /** Expected HTTP status of every response of the example; "2" accepts 200 to 299. */
  status: string;
  /**
   * JSON block after the example: `json reply` has the response, with `"<any>"` for values that vary; `json like` has
   * values of the same types.
   */
  reply: string | undefined;
  isLike: boolean;
}

/** Blocks marked `sh run` or `sh run STATUS`, with the `json reply` or `json like` block that may follow. */
const examples: Example[] = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```sh run ?(\d{3})?\n([\s\S]*?)^```\n(?:\n```json (reply|like)\n([\s\S]*?)^```)?/gm)].map(
    (match) => ({
      page: name,
      at: `${name}:${text.slice(0, match.index).split('\n').length}`,
      script: match[2]!,
      status: match[1] ?? '2',
      reply: match[4],
      isLike: match[3] === 'like',
    }),
  ),
);

// Each curl of an example prints its status to standard error, on a separate line.
const PRELUDE = `set -eu
trap 'export -p > .exported' EXIT
if [ -f .exported ]; then . ./.exported; fi
curl() { command curl -w '%{stderr}\\n%{http_code}\\n' "$@"; }
`;

async function run({ page, script }: Example): Promise<{ bodies: string; statuses: string[] }> {
  const env = { ...process.env, ...listening.env };
  const cwd = join(folder, page.replaceAll('/', '-'));
  mkdirSync(cwd, { recursive: true });
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', PRELUDE + script], { env, cwd });
  return { bodies: stdout, statuses: stderr.split('\n').filter((line) => /^\d{3}$/.test(line)) };
}

/** Returns the expected value with each `"<any>"` replaced by the actual value. */
function withVarying(expected: unknown, actual: unknown): unknown {
  if (expected === '<any>') return actual;
  if (Array.isArray(expected)) {
    return expected.map((one, index) => withVarying(one, Array.isArray(actual) ? actual[index] : undefined));
  }
  if (typeof expected !== 'object' || expected === null) return expected;
  const other = (actual ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, withVarying(value, other[key])]));
}

/** Returns a value with each leaf replaced by its type, except codes and fixed words of the API. */
function kindsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kindsOf);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kindsOf(one)]));
  }
  const isFixed = typeof value === 'string' && /^(?:[a-z]+\.[a-zA-Z]+|\d{4,}|[A-Z_]+|[A-Z][a-z ]+)$/.test(value);
  return isFixed ? value : typeof value;
}

describe('the examples of the documentation', () => {
  it('are at least five', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it.each(examples.map((example) => [example.at, example] as const))(
    '%s works as the page says',
    async (_at, example) => {
      const { bodies, statuses } = await run(example);
      expect(statuses.length).toBeGreaterThan(0);
      for (const status of statuses) expect(status.startsWith(example.status), `${status}: ${bodies}`).toBe(true);
      if (example.reply === undefined) return;
      const actual: unknown = JSON.parse(bodies);
      const shown: unknown = JSON.parse(example.reply);
      if (example.isLike) expect(kindsOf(actual)).toEqual(kindsOf(shown));
      else expect(actual).toEqual(withVarying(shown, actual));
    },
  );
});

it('the typed client of examples/client picks an order', async () => {
  const lines: string[] = [];
  const { BASE: url, API_KEY: apiKey, BASIC: basic } = listening.env;
  await pick({ url, apiKey, basic }, (line) => lines.push(line));
  expect(lines).toEqual([
    expect.stringMatching(/^21-MUG-WHT: \S/),
    expect.stringMatching(/^[1-9]\d* orders wait on WAITING_FOR_PICK_ISPU$/),
    expect.stringMatching(/^ticket \S+ for order \d+: \d+ items, \d+ units, hold location \S+$/),
    'confirmed',
  ]);
  const orderId = /for order (\d+):/.exec(lines[2]!)?.[1];
  const search = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrder: { fulfillmentOrderId: orderId } };
  const found = await listening.town.client.post('/stores/TOWN_US/fulfillmentOrder/search', search);
  expect(found.body.fulfillmentOrders).toMatchObject([{ fulfillmentOrderId: orderId, status: '1400' }]);
});

it('the example of examples/returns plays a parcel and an exchange at the counter, from the check to the paid refunds', async () => {
  const lines: string[] = [];
  const { BASE: url, API_KEY: apiKey } = listening.env;
  const { handedOver: fulfillmentOrderId } = listening.town.orders;
  await bringBack({ url, apiKey, fulfillmentOrderId }, (line) => lines.push(line));
  expect(lines).toEqual([
    expect.stringMatching(/^[1-9]\d* of 21-\S+ can come back until \S+$/),
    expect.stringMatching(/^return \S+ is REQUESTED$/),
    expect.stringMatching(/^the parcel \S+ is under way$/),
    'received at TOWN-Store001: 1 held',
    expect.stringMatching(/^return \S+ is CLOSED$/),
    'for sale again: 1',
    expect.stringMatching(/^refund of [\d.]+ USD is DONE$/),
    expect.stringMatching(/^return \S+ at the counter is CLOSED$/),
    expect.stringMatching(/^refund of [\d.]+ USD is DONE$/),
    expect.stringMatching(/^line 1 is exchanged by order EXCHANGE-\S+$/),
  ]);
  const number = /^return (\S+) is/.exec(lines[1]!)?.[1];
  const read = await listening.town.client.get(`/operator/v1/stores/TOWN_US/returns/${number}`);
  expect(read.body).toMatchObject({ state: 'CLOSED', totals: { sellable: 1, open: 0 }, refunds: [{ status: 'DONE' }] });
});
