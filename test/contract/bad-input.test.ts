import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsBody } from '../../src/platform/http/body.ts';
import { type Operation, pathParams } from '../../src/platform/http/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { type Answer, OPERATOR_KEY } from '../support/backroom.ts';
import { codeOf, contentOf, headersOf, openTwoClients, pathOf, type TwoClients } from './support/two-clients.ts';

let town: TwoClients;
beforeAll(async () => {
  town = await openTwoClients();
});
afterAll(() => town.close());

const all = operations.map((operation) => [operation.id, operation] as const);
const json = all.filter(
  ([
    ,
    {
      message: { body, consumes },
    },
  ]) => body !== undefined && consumes !== 'multipart',
);

/** Bodies that every operation must reject, by reason. */
const BAD_BODIES: Record<string, string | Buffer> = {
  'nothing at all': '',
  'white space': ' \n',
  'half an object': '{"a":',
  'two values': '{} {}',
  'a comment': '{/* */}',
  'a trailing comma': '{"a":1,}',
  'single quotes': "{'a':1}",
  NaN: '{"a":NaN}',
  null: 'null',
  'a number': '1',
  'a string': '"{}"',
  'a list of nulls': '[null]',
  'a list in a list': '[[]]',
  __proto__: '{"__proto__":{"a":1}}',
  '__proto__ behind an escape': '{"\\u005f_proto__":{}}',
  'a field twice': '{"a":1,"a":2}',
  NUL: '{"a":"\\u0000"}',
  'a lone surrogate': '{"a":"\\ud800"}',
  'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  '20,000 levels': '['.repeat(20_000) + ']'.repeat(20_000),
  'a number of 65 characters': `{"a":${'1'.repeat(65)}}`,
  'an exponent beyond 400': '{"a":1e401}',
  'only an unknown field': '{"surelyNotAMember":1}',
  '300,000 tokens': `[${'{},'.repeat(299_999)}{}]`,
};

function send(
  operation: Operation,
  raw: string | Buffer | undefined,
  more: Record<string, string> = {},
  path?: string,
): Promise<Answer> {
  const keys = operation.access.auth.startsWith('operator')
    ? { authorization: `Bearer ${OPERATOR_KEY}` }
    : operation.access.auth === 'session'
      ? town.session
      : headersOf(town.one, operation);
  return town.call({
    method: operation.method,
    path: path ?? pathOf(operation, 'ONE'),
    headers: { ...keys, ...more },
    ...(raw !== undefined && { raw }),
  });
}

describe('an invalid body', () => {
  let before: string;
  beforeAll(async () => {
    before = await contentOf(town);
  });

  it.each(json)('%s responds 400 and changes nothing', async (_id, operation) => {
    for (const [reason, raw] of Object.entries(BAD_BODIES)) {
      if (raw === '' && !needsBody(operation)) continue;
      expect([reason, (await send(operation, raw)).status]).toEqual([reason, 400]);
    }
    expect(await contentOf(town)).toBe(before);
  });

  it.each(json)('%s responds 415 to another media type or character set', async (_id, operation) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'x']) {
      const answer = await send(operation, '{}', { 'content-type': type });
      expect([type, answer.status, codeOf(answer)]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  it.each(json)('%s responds 413 to 10 MiB', async (_id, operation) => {
    const answer = await send(operation, ' '.repeat(10 * 1024 * 1024));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'CONTENT_TOO_LARGE']);
  });
});

it('of the operations with a body, exactly these read a request without one as {}', () => {
  const optional = json.flatMap(([id, operation]) => (needsBody(operation) ? [] : [id]));
  expect(optional.toSorted()).toEqual([
    'advanceClock',
    'cancelReturn',
    'checkReturn',
    'markReturnInTransit',
    'previewReturn',
    'rotateWebhookSecret',
    'searchReturns',
    'takeEdi',
  ]);
});

describe('an operation without a body', () => {
  const bodiless = all.filter(
    ([
      ,
      {
        message: { body, consumes },
      },
    ]) => body === undefined && consumes !== 'multipart' && consumes !== 'x12',
  );

  it.each(bodiless.filter(([, { method }]) => method !== 'GET'))('%s rejects a body', async (_id, operation) => {
    const answer = await send(operation, '{"a":1}');
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('has no body')]);
  });

  it.each(bodiless.filter(([, { method }]) => method === 'GET'))('%s ignores a body', async (_id, operation) => {
    const without = await send(operation, undefined);
    expect((await send(operation, '{"a":')).status).toBe(without.status);
  });

  // `startTraining` is left out: a training would replace the session of these tests until the training ends.
  const repeatable = bodiless.filter(([id]) => id !== 'startTraining');

  it.each(repeatable)('%s accepts an empty body that is labeled as JSON', async (_id, operation) => {
    const without = await send(operation, undefined);
    const labelled = await send(operation, undefined, { 'content-type': 'application/json' });
    expect(labelled.status).toBe(without.status);
  });
});

describe('an invalid path or query', () => {
  it.each(
    all.filter(
      ([
        ,
        {
          message: { consumes },
        },
      ]) => consumes !== 'multipart',
    ),
  )('%s rejects an unknown query parameter', async (_id, operation) => {
    const path = pathOf(operation, 'ONE');
    const answer = await send(
      operation,
      operation.message.body === undefined ? undefined : '{}',
      {},
      `${path}${path.includes('?') ? '&' : '?'}surelyNot=1`,
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('surelyNot');
  });

  it.each(all.filter(([, { path }]) => path.includes('{')))(
    '%s rejects NUL, invalid encoding and over-long values in its path',
    async (_id, operation) => {
      for (const name of pathParams(operation.path)) {
        for (const value of ['%00', '%ED%A0%80', '%zz', 'x'.repeat(500), 'x'.repeat(2000), '..%2f..', '%F0%9F%98%80']) {
          const path = pathOf(operation, 'ONE').split('?', 1)[0]!.split('/');
          path[operation.path.split('/').indexOf(`{${name}}`)] = value;
          const answer = await send(
            operation,
            operation.message.body === undefined ? undefined : '{"surelyNot":1}',
            {},
            path.join('/'),
          );
          expect([value.slice(0, 20), Math.floor(answer.status / 100)]).toEqual([value.slice(0, 20), 4]);
        }
      }
    },
  );
});

describe('an Idempotency-Key', () => {
  const writes = all.filter(
    ([
      ,
      {
        kind: access,
        message: { consumes, keyless },
      },
    ]) => access === 'write' && consumes !== 'multipart' && consumes !== 'x12' && keyless !== true,
  );

  it.each(writes)('%s rejects a key that is empty, too long or not visible ASCII', async (_id, operation) => {
    for (const key of ['', 'x'.repeat(256), 'a b', 'é']) {
      const answer = await send(operation, operation.message.body === undefined ? undefined : '{"surelyNot":1}', {
        'idempotency-key': key,
      });
      expect([key, answer.status]).toEqual([key, 400]);
    }
  });
});
