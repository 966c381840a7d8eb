import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../../src/platform/ctx.ts';
import { groupsOf, type Operation } from '../../src/platform/http/operation.ts';
import { operations } from '../../src/service/operations.ts';
import type { Answer } from '../support/backroom.ts';
import { codeOf, contentOf, headersOf, openTwoClients, pathOf, type TwoClients } from './support/two-clients.ts';

let town: TwoClients;
beforeAll(async () => {
  town = await openTwoClients();
});
afterAll(() => town.close());

const named = (auth: Operation['auth'][]) =>
  operations
    .filter((operation) => auth.includes(operation.auth))
    .map((operation) => [operation.id, operation] as const);
const clients = named(['basic', 'apiKey']);
/** Those that a client's apiKey opens, order intake included. */
const keyed = named(['basic', 'apiKey', 'operatorOrApiKey']);
const operators = named(['operator', 'operatorOrApiKey']);

function call(operation: Operation, headers: Record<string, string>, clientId = 'ONE'): Promise<Answer> {
  const body = operation.body === undefined ? {} : { body: {} };
  return town.call({ method: operation.method, path: pathOf(operation, clientId), headers, ...body });
}

async function refusal(answer: Promise<Answer>): Promise<[number, string]> {
  const got = await answer;
  return [got.status, codeOf(got)];
}

/** What the caller can tell apart: everything but the request's own id. */
async function visible(answer: Promise<Answer>): Promise<string> {
  const { status, text, headers } = await answer;
  return `${status} ${text.replaceAll(headers['x-request-id'] ?? '', '')}`;
}

describe('access to an operation of a client', () => {
  it.each(clients)('%s is refused without credentials', async (_id, operation) => {
    expect(await refusal(call(operation, {}))).toEqual([403, 'CREDENTIALS_MISSING']);
  });

  it.each(keyed)('%s is refused with an unknown, altered, revoked or expired apiKey', async (_id, operation) => {
    const good = headersOf(town.one, operation);
    for (const apikey of ['x', 'br_ONE_00000000_secret', `${town.one.apiKey}x`, town.one.apiKey.slice(0, -1)]) {
      expect(await refusal(call(operation, { ...good, apikey }))).toEqual([403, 'CREDENTIALS_INVALID']);
    }
    for (const credential of [town.revoked, town.expired]) {
      expect(await refusal(call(operation, headersOf(credential, operation)))).toEqual([403, 'CREDENTIALS_INVALID']);
    }
  });

  it.each(keyed)(
    '%s is refused with a credential of other groups only, and not with one of its own',
    async (_id, operation) => {
      for (const [group, credential] of Object.entries(town.byGroup)) {
        const [status, code] = await refusal(call(operation, headersOf(credential, operation)));
        if (groupsOf(operation).includes(group as Group)) expect(status).not.toBe(403);
        else expect([status, code]).toEqual([403, 'ACCESS_DENIED']);
      }
    },
  );

  // The feed names no client in its path: a client's key reads its own events (test/events).
  it.each(keyed.filter(([, { path }]) => path.includes('{')))(
    '%s refuses what is another client’s exactly like what does not exist',
    async (_id, operation) => {
      const foreign = await visible(call(operation, headersOf(town.two, operation), 'ONE'));
      expect(foreign).toMatch(/^403 .*ACCESS_DENIED/);
      expect(await visible(call(operation, headersOf(town.two, operation), 'NONE'))).toBe(foreign);
    },
  );

  it.each(keyed.filter(([, { path }]) => /\{(storeId|nodeId)\}/.test(path)))(
    '%s is refused with a credential narrowed to other stores and nodes',
    async (_id, operation) => {
      expect(await refusal(call(operation, headersOf(town.elsewhere, operation)))).toEqual([403, 'ACCESS_DENIED']);
    },
  );
});

describe('access to an item operation', () => {
  const items = named(['basic']);

  it.each(items)('%s needs Authorization: Basic beside apiKey', async (_id, operation) => {
    const { apikey = '', authorization = '' } = headersOf(town.one, operation);
    expect(await refusal(call(operation, { apikey }))).toEqual([403, 'CREDENTIALS_MISSING']);
    expect((await call(operation, { apikey, authorization })).status).not.toBe(403);
  });

  it.each(items)('%s needs apiKey beside Authorization: Basic', async (_id, operation) => {
    const { authorization = '' } = headersOf(town.one, operation);
    expect(await refusal(call(operation, { authorization }))).toEqual([403, 'CREDENTIALS_MISSING']);
  });

  it.each(items)('%s takes Basic and apiKey of one credential only', async (_id, operation) => {
    const mixed = { ...headersOf(town.one, operation), apikey: town.byGroup.items!.apiKey };
    expect(await refusal(call(operation, mixed))).toEqual([403, 'CREDENTIALS_INVALID']);
    const wrong = Buffer.from(`${town.one.username}:wrong`).toString('base64');
    const headers = { apikey: town.one.apiKey, authorization: `Basic ${wrong}` };
    expect(await refusal(call(operation, headers))).toEqual([403, 'CREDENTIALS_INVALID']);
  });
});

describe('access to an operation of the operator', () => {
  it.each(operators)('%s answers 401 with WWW-Authenticate without a valid operator key', async (_id, operation) => {
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

  it.each(named(['operator']))('%s does not take a client’s apiKey', async (_id, operation) => {
    expect((await call(operation, { apikey: town.one.apiKey })).status).toBe(401);
  });
});

it('a refused caller changes nothing', async () => {
  const before = await contentOf(town);
  for (const operation of operations) {
    await call(operation, {});
    if (operation.path.includes('{')) await call(operation, headersOf(town.two, operation), 'ONE');
  }
  expect(await contentOf(town)).toBe(before);
});
