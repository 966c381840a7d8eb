/**
 * Values that one database engine accepts and the other does not, put into every place of the valid examples. The
 * service rejects them before the database sees them, so the response does not depend on the engine.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/service/operations.ts';
import { type Call, operationOf } from '../support/backroom.ts';
import { type Example, examplesOf, requestOf } from '../support/examples.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { codeOf, contentOf } from './support/two-clients.ts';

/** Operations that need a cookie or an enrolled device; test/people tests them. */
const OF_A_DEVICE = /^\/session|\/devices\/\{deviceId\}/;

const good = operations.flatMap((operation) => {
  if (OF_A_DEVICE.test(operation.path)) return [];
  const example = examplesOf(operation.id).find(
    ({ request, reply }) => reply.status < 300 && operationOf(request.method, request.path) === operation,
  );
  return example === undefined ? [] : [[operation.id, example] as const];
});
const withBody = good.filter(([, { request }]) => request.body !== undefined);

/** Texts that no column of PostgreSQL can store, as JSON. */
const TEXTS = ['"a\\u0000b"', '"a\\ud800b"', '"\\udc00"'];
/** Values beyond 32 bits, 53 bits, 64 bits and a double. */
const NUMBERS = ['2147483648', '9007199254740993', '9223372036854775808', '-9223372036854775809', '1e308', '1e400'];
const DATES = [
  '"9999-12-31T23:59:59Z"',
  '"10000-01-01T00:00:00Z"',
  '"0000-01-01T00:00:00Z"',
  '"-271821-04-20T00:00:00Z"',
];

const MARK = '@@here@@';

/** Returns the body once for each leaf that passes `isOne`, with a mark in place of the leaf. */
function marked(body: unknown, isOne: (leaf: unknown) => boolean): string[] {
  const texts: string[] = [];
  const walk = (value: unknown, put: (value: unknown) => unknown): void => {
    if (isOne(value)) texts.push(JSON.stringify(put(MARK)));
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      walk(child, (leaf) =>
        put(
          Array.isArray(value)
            ? value.map((old, at) => (String(at) === name ? leaf : old))
            : { ...value, [name]: leaf },
        ),
      );
    }
  };
  walk(body, (leaf) => leaf);
  return texts;
}

const isText = (leaf: unknown) => typeof leaf === 'string';
const isNumber = (leaf: unknown) => typeof leaf === 'number';
const isDate = (leaf: unknown) => typeof leaf === 'string' && /^\d{4}-\d\d-\d\d/.test(leaf);

const raw = (request: Call, text: string): Call => {
  const { body: _body, ...rest } = request;
  return { ...rest, raw: text };
};

/** The rejected requests share one town, because they change nothing. */
let same: OpenTown;
beforeAll(async () => {
  same = await openTown({ upTo: 'returns' });
});
afterAll(() => same.close());

describe('a value that only PostgreSQL rejects', () => {
  it.each(withBody)('gets 400 in every text of %s, and changes nothing', async (_id, example: Example) => {
    const request = requestOf(same, example);
    const before = await contentOf(same);
    const bodies = marked(request.body, isText);
    for (const body of bodies) {
      for (const text of TEXTS) {
        const answer = await same.call(
          raw(
            request,
            body.replace(`"${MARK}"`, () => text),
          ),
        );
        expect([body, text, answer.status]).toEqual([body, text, 400]);
      }
    }
    expect(await contentOf(same)).toBe(before);
  });

  it.each(withBody)('never causes a 5xx of %s as a number or a date', async (_id, example: Example) => {
    const town = await openTown({ upTo: 'returns' });
    const request = requestOf(town, example);
    for (const [bodies, values] of [
      [marked(request.body, isNumber), NUMBERS],
      [marked(request.body, isDate), DATES],
    ] as const) {
      for (const body of bodies) {
        for (const value of values) {
          const { status } = await town.call(
            raw(
              request,
              body.replace(`"${MARK}"`, () => value),
            ),
          );
          expect([body, value, status < 500]).toEqual([body, value, true]);
        }
      }
    }
    await town.close();
  });

  it.each(good)('gets 400 in the path and the query of %s', async (_id, example) => {
    const request = requestOf(same, example);
    const [path = '', query = ''] = request.path.split('?');
    const last = path.slice(0, path.lastIndexOf('/') + 1);
    for (const bad of ['a%00b', '%ED%A0%80']) {
      if (operationOf(request.method, path)!.path.endsWith('}')) {
        const answer = await same.call({ ...request, path: `${last}${bad}${query && `?${query}`}` });
        expect([bad, answer.status, codeOf(answer) === '']).toEqual([bad, 400, false]);
      }
      if (query === '') continue;
      const asked = query.replace(/=[^&]*/, `=${bad}`);
      expect([asked, (await same.call({ ...request, path: `${path}?${asked}` })).status]).toEqual([asked, 400]);
    }
  });

  it.each(['2147483648', '9007199254740993', '99999999999999999999', '-1', '1e308'])(
    'gets 400 as a number of a query: %s',
    async (value) => {
      const queries = operations.filter(
        ({ message: { query } }) => query !== undefined && 'pageSize' in (query as { properties?: object }).properties!,
      );
      for (const { id } of queries) {
        const example = examplesOf(id).find(({ reply }) => reply.status < 300)!;
        const { path, ...rest } = requestOf(same, example);
        const sized = new URL(path, 'http://town');
        sized.searchParams.set('pageSize', value);
        const answer = await same.call({ ...rest, path: sized.pathname + sized.search });
        expect([id, answer.status]).toEqual([id, 400]);
      }
    },
  );
});
