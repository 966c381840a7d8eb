import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, GROUPS } from '../../src/platform/ctx.ts';
import { ACCESS_TABLES, authenticate, authorize } from '../../src/platform/http/auth.ts';
import { ResponseCache } from '../../src/platform/http/response-cache.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { watchStatements } from '../../src/platform/storage/handle.ts';
import { operations } from '../../src/service/operations.ts';
import { type Caller, type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
let base: string;
beforeAll(async () => {
  town = await openTown({ upTo: 'catalog', env: { PORT: '0' } });
  base = await town.server.listen();
});
afterAll(() => town.close());

const ITEM = '/item-service/stores/TOWN_US/items/21-MUG-WHT';

/** Uses a socket: in-process requests begin at the router, and the service sends cached responses before the router. */
async function read(caller: Caller, path = ITEM, headers: Record<string, string> = {}) {
  const answer = await fetch(base + path, { headers: { ...caller.headers, ...headers } });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    headers: Object.fromEntries(answer.headers),
  };
}

/** Reads the item often enough for its response to be cached. */
async function readOften(caller: Caller = town.client) {
  const answers = [];
  for (let time = 0; time < 4; time++) answers.push(await read(caller));
  return answers;
}

describe('a repeated read', () => {
  it('gets the same response each time, with a new request id', async () => {
    const answers = await readOften();
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(4);
    expect(new Set(answers.map(({ headers }) => headers['content-type']))).toEqual(
      new Set(['application/json; charset=utf-8']),
    );
  });

  it('shows a change as soon as it is acknowledged', async () => {
    const [before] = await readOften();
    const changed = await town.client.put('/item-service/clients/TOWN/items/21-MUG-WHT', {
      ...before!.body!,
      description: 'Stoneware mug, cream',
    });
    expect(changed.status).toBe(200);
    expect((await read(town.client)).body!['description']).toBe('Stoneware mug, cream');
  });

  it('shows a change of another process', async () => {
    await readOften();
    const other = await openStore(town.store.url);
    const doc = JSON.stringify({ ...(await read(town.client)).body, description: 'Changed elsewhere' }) as Json<never>;
    await other.write((tx) =>
      tx
        .updateTable('items')
        .set({ doc })
        .where('client_id', '=', 'TOWN')
        .where('item_id', '=', '21-MUG-WHT')
        .execute(),
    );
    await other.close();
    expect((await read(town.client)).body!['description']).toBe('Changed elsewhere');
  });

  it('is rejected with a query parameter, as the first time', async () => {
    await readOften();
    expect((await read(town.client, `${ITEM}?color=red`)).status).toBe(400);
  });

  it('is denied to a credential of other stores', async () => {
    await readOften();
    const narrowed = await town.credential({ storeIds: ['TOWN_CA'] });
    expect((await read(narrowed)).status).toBe(403);
    expect((await read(narrowed)).status).toBe(403);
  });

  it('is rejected as soon as its credential is revoked', async () => {
    const caller = await town.credential();
    for (let time = 0; time < 3; time++) expect((await read(caller)).status).toBe(200);
    const { credentialId } = caller.secrets;
    await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${credentialId}`);
    expect((await read(caller)).status).toBe(403);
  });

  it('is rejected from the instant at which its credential expires', async () => {
    const caller = await town.credential({ expiresAt: new Date(town.clock.now + 60_000).toISOString() });
    for (let time = 0; time < 3; time++) expect((await read(caller)).status).toBe(200);
    town.clock.now += 60_000;
    expect((await read(caller)).status).toBe(403);
  });
});

const NAMED = { clientId: 'TOWN', storeId: 'TOWN_US', nodeId: 'TOWN-Store001', sellerId: 'TOWN' };
const OWN: Actor = {
  kind: 'client',
  id: 'credential:1',
  clientId: 'TOWN',
  storeIds: null,
  nodeIds: null,
  groups: GROUPS,
};

describe('a cached response', () => {
  /** Returns the headers without those that differ each time. */
  function lasting(headers: Record<string, string>): Record<string, string> {
    const passing = ['x-request-id', 'date', 'connection', 'keep-alive'];
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)));
  }

  it.each([
    ['an item', ITEM, {}],
    ['a missing item', '/item-service/stores/TOWN_US/items/21-NOTHING', {}],
    ['an item of another catalog', '/item-service/stores/TOWN_US/items/99-MUG-WHT', {}],
    ['another store', '/item-service/stores/TOWN_XX/items/21-MUG-WHT', {}],
    ['an encoded path', '/item-service/stores/TOWN_US/items/21%2DMUG%2DWHT', {}],
    ['a path that cannot be decoded', '/item-service/stores/TOWN_US/items/21-%ff', {}],
    ['a query', `${ITEM}?a=1`, {}],
    ['a path of no operation', '/item-service/stores/TOWN_US/items', {}],
    ['a wrong password', ITEM, { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
    ['an unknown key', ITEM, { apikey: 'br_TOWN_00000000_x' }],
  ])('equals the response of the router: %s', async (_name, path, headers) => {
    await readOften();
    const usual = await town.server.app.inject({
      method: 'GET',
      url: path,
      headers: { ...town.client.headers, ...headers },
    });
    for (let time = 0; time < 3; time++) {
      const answer = await read(town.client, path, {
        ...headers,
        'x-request-id': usual.headers['x-request-id'] as string,
      });
      expect(answer.status).toBe(usual.statusCode);
      expect(answer.text).toBe(usual.payload);
      expect(lasting(answer.headers)).toEqual(lasting(usual.headers as Record<string, string>));
    }
  });

  it('is counted in the metrics each time', async () => {
    const counted = async () => {
      const { payload } = await town.server.app.inject('/metrics');
      const [, count = '0'] = /_count\{operation="readItem",status="200"\} (\d+)/.exec(payload) ?? [];
      return Number(count);
    };
    await readOften();
    const before = await counted();
    await readOften();
    expect(await counted()).toBe(before + 4);
  });

  it('echoes a valid X-Request-Id and replaces an invalid one', async () => {
    await readOften();
    expect((await read(town.client, ITEM, { 'x-request-id': 'mine-1' })).headers['x-request-id']).toBe('mine-1');
    expect((await read(town.client, ITEM, { 'x-request-id': 'not valid!' })).headers['x-request-id']).not.toBe(
      'not valid!',
    );
  });

  it('is not used once the store of the caller has another catalog', async () => {
    const [answer] = await readOften();
    expect(answer!.status).toBe(200);
    await town.store.write((tx) =>
      tx
        .updateTable('stores')
        .set({ catalog_id: '99' })
        .where('client_id', '=', 'TOWN')
        .where('store_id', '=', 'TOWN_US')
        .execute(),
    );
    expect((await read(town.client)).status).toBe(404);
    await town.store.write((tx) =>
      tx
        .updateTable('stores')
        .set({ catalog_id: '21' })
        .where('client_id', '=', 'TOWN')
        .where('store_id', '=', 'TOWN_US')
        .execute(),
    );
    expect((await read(town.client)).status).toBe(200);
  });

  it('depends on access data in the watched tables only', async () => {
    const texts: string[] = [];
    watchStatements((text) => texts.push(text));
    try {
      for (const operation of operations) {
        const find = (actor: Actor) => town.store.read((db) => authorize(db, operation, actor, NAMED));
        await find({ kind: 'operator', id: 'operator:env' }).catch(() => undefined);
        await find(OWN).catch(() => undefined);
      }
      const auths = ['basic', 'apiKey', 'operator', 'operatorOrApiKey'] as const;
      for (const auth of auths) {
        const headers = { ...town.client.headers, ...(auth === 'operator' && { authorization: 'Bearer bro_1_x' }) };
        await town.store
          .read((db) => authenticate(db, { auth, headers, now: 0, config: { operatorKey: undefined } }))
          .catch(() => undefined);
      }
    } finally {
      watchStatements(undefined);
    }
    const tables = texts.flatMap((text) => [...text.matchAll(/\b(?:from|join) "(\w+)"/g)].map((match) => match[1]!));
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables) expect(ACCESS_TABLES).toContain(table);
  });
});

describe('the cache of responses', () => {
  it('has a response once it was filled twice', () => {
    const answers = new ResponseCache();
    answers.fill(answers.find('a'), 'text of a');
    expect(answers.find('a').response).toBeUndefined();
    answers.fill(answers.find('a'), 'text of a');
    expect(String(answers.find('a').response)).toBe('text of a');
  });

  it('has no response that was read before it was cleared', () => {
    const answers = new ResponseCache();
    answers.fill(answers.find('a'), 'old');
    const place = answers.find('a');
    answers.forget();
    answers.fill(place, 'old');
    answers.fill(place, 'old');
    expect(answers.find('a').response).toBeUndefined();
  });

  it('stays below 8 MiB, and keeps recently used responses', () => {
    const answers = new ResponseCache();
    const megabyte = 'x'.repeat(1024 * 1024);
    const keep = (key: string) => {
      for (let time = 0; time < 2; time++) answers.fill(answers.find(key), megabyte);
    };
    keep('first');
    for (let n = 0; n < 100; n++) {
      keep(`other ${n}`);
      answers.find('first');
    }
    const kept = Array.from({ length: 100 }, (_, n) => answers.find(`other ${n}`).response).filter((one) => one).length;
    expect(answers.find('first').response).toBeDefined();
    expect(kept).toBeGreaterThan(2);
    expect(kept).toBeLessThan(9);
  });
});
