import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../../src/platform/ctx.ts';
import { type Auth, groupsOf, type Operation } from '../../src/platform/http/operation.ts';
import { operations } from '../../src/service/operations.ts';
import type { Answer } from '../support/backroom.ts';
import { codeOf, contentOf, headersOf, openTwoClients, pathOf, type TwoClients } from './support/two-clients.ts';

let town: TwoClients;
beforeAll(async () => {
  town = await openTwoClients();
});
afterAll(() => town.close());

const named = (auth: Auth[]) =>
  operations
    .filter((operation) => auth.includes(operation.access.auth))
    .map((operation) => [operation.id, operation] as const);
const clients = named(['basic', 'apiKey']);
/** Operations that accept the apiKey of a client, order intake included. */
const keyed = named(['basic', 'apiKey', 'operatorOrApiKey']);
const operators = named(['operator', 'operatorOrApiKey']);

function call(operation: Operation, headers: Record<string, string>, clientId = 'ONE'): Promise<Answer> {
  const body = operation.message.body === undefined ? {} : { body: {} };
  return town.call({ method: operation.method, path: pathOf(operation, clientId), headers, ...body });
}

async function statusAndCode(answer: Promise<Answer>): Promise<[number, string]> {
  const got = await answer;
  return [got.status, codeOf(got)];
}

/** Returns the response as text, without the request id, which differs each time. */
async function visible(answer: Promise<Answer>): Promise<string> {
  const { status, text, headers } = await answer;
  return `${status} ${text.replaceAll(headers['x-request-id'] ?? '', '')}`;
}

describe('access to an operation of a client', () => {
  it.each(clients)('%s rejects a request without credentials', async (_id, operation) => {
    expect(await statusAndCode(call(operation, {}))).toEqual([403, 'CREDENTIALS_MISSING']);
  });

  it.each(keyed)('%s rejects an unknown, altered, revoked or expired apiKey', async (_id, operation) => {
    const good = headersOf(town.one, operation);
    // Operations of the interface document no status 401, so they respond with 403.
    const expected = [operation.access.auth === 'operatorOrApiKey' ? 401 : 403, 'CREDENTIALS_INVALID'];
    for (const apikey of ['x', 'br_ONE_00000000_secret', `${town.one.apiKey}x`, town.one.apiKey.slice(0, -1)]) {
      expect(await statusAndCode(call(operation, { ...good, apikey }))).toEqual(expected);
    }
    for (const credential of [town.revoked, town.expired]) {
      expect(await statusAndCode(call(operation, headersOf(credential, operation)))).toEqual(expected);
    }
  });

  it.each(keyed)(
    '%s accepts credentials of its own groups and rejects those of other groups',
    async (_id, operation) => {
      for (const [group, credential] of Object.entries(town.byGroup)) {
        const [status, code] = await statusAndCode(call(operation, headersOf(credential, operation)));
        if (groupsOf(operation).includes(group as Group)) expect(status).not.toBe(403);
        else expect([status, code]).toEqual([403, 'ACCESS_DENIED']);
      }
    },
  );

  // The path of the feed names no client: the key of a client reads the client's own events (test/events).
  it.each(keyed.filter(([, { path }]) => path.includes('{')))(
    '%s sends the same 403 for data of another client as for missing data',
    async (_id, operation) => {
      const foreign = await visible(call(operation, headersOf(town.two, operation), 'ONE'));
      expect(foreign).toMatch(/^403 .*ACCESS_DENIED/);
      expect(await visible(call(operation, headersOf(town.two, operation), 'NONE'))).toBe(foreign);
    },
  );

  it.each(keyed.filter(([, { path }]) => /\{(storeId|nodeId)\}/.test(path)))(
    '%s rejects a credential narrowed to other stores and nodes',
    async (_id, operation) => {
      expect(await statusAndCode(call(operation, headersOf(town.elsewhere, operation)))).toEqual([
        403,
        'ACCESS_DENIED',
      ]);
    },
  );
});

describe('access to an item operation', () => {
  const items = named(['basic']);

  it.each(items)('%s needs Authorization: Basic beside apiKey', async (_id, operation) => {
    const { apikey = '', authorization = '' } = headersOf(town.one, operation);
    expect(await statusAndCode(call(operation, { apikey }))).toEqual([403, 'CREDENTIALS_MISSING']);
    expect((await call(operation, { apikey, authorization })).status).not.toBe(403);
  });

  it.each(items)('%s needs apiKey beside Authorization: Basic', async (_id, operation) => {
    const { authorization = '' } = headersOf(town.one, operation);
    expect(await statusAndCode(call(operation, { authorization }))).toEqual([403, 'CREDENTIALS_MISSING']);
  });

  it.each(items)('%s requires Basic and apiKey of the same credential', async (_id, operation) => {
    const mixed = { ...headersOf(town.one, operation), apikey: town.byGroup.items!.apiKey };
    expect(await statusAndCode(call(operation, mixed))).toEqual([403, 'CREDENTIALS_INVALID']);
    const wrong = Buffer.from(`${town.one.username}:wrong`).toString('base64');
    const headers = { apikey: town.one.apiKey, authorization: `Basic ${wrong}` };
    expect(await statusAndCode(call(operation, headers))).toEqual([403, 'CREDENTIALS_INVALID']);
  });
});

describe('access to an operation of the operator', () => {
  it.each(operators)('%s responds 401 with WWW-Authenticate without a valid operator key', async (_id, operation) => {
    for (const [authorization, code] of [
      [undefined, 'CREDENTIALS_MISSING'],
      ['Bearer ', 'CREDENTIALS_MISSING'],
      ['Basic eDp5', 'CREDENTIALS_MISSING'],
      ['Bearer bro_00000000_secret', 'CREDENTIALS_INVALID'],
      [`Bearer ${town.one.apiKey}`, 'CREDENTIALS_INVALID'],
    ] as const) {
      const answer = await call(operation, authorization === undefined ? {} : { authorization });
      expect([answer.status, codeOf(answer)]).toEqual([401, code]);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="backroom"');
    }
  });

  it.each(named(['operator']))('%s rejects the apiKey of a client', async (_id, operation) => {
    expect(await statusAndCode(call(operation, { apikey: town.one.apiKey }))).toEqual([403, 'ACCESS_DENIED']);
  });
});

it('a request without access changes nothing', async () => {
  const before = await contentOf(town);
  for (const operation of operations) {
    await call(operation, {});
    if (operation.path.includes('{')) await call(operation, headersOf(town.two, operation), 'ONE');
  }
  expect(await contentOf(town)).toBe(before);
});
