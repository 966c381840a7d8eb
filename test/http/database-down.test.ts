/** Responses while PostgreSQL is down, and after a connection breaks during a commit. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import type { Secrets } from '../../src/service/demo/town.ts';
import { migrate } from '../../src/service/migrate.ts';
import { clientHeaders } from '../../town/call.ts';
import { PostgresServer } from '../../town/postgres-server.ts';
import { CuttingProxy } from '../storage/support/cutting-proxy.ts';
import { type Answer, type Backroom, type Call, openBackroom } from '../support/backroom.ts';
import { describePostgresOnly, openTestStore } from '../support/store.ts';

const READ = '/item-service/stores/S/items/1-A';
const ITEM = '/item-service/clients/C/items/1-A';
const item = {
  catalogId: '1',
  clientId: 'C',
  clientItemId: 'A',
  itemId: '1-A',
  type: 'MERCH',
  salesClass: 'stock',
  styleId: '',
  taxCode: '',
  description: 'before',
};
const STORE = { name: 'Web', catalogId: '1', sellerId: 'SELL', storeCode: 'W', currency: 'USD' };

/** Opens a service with one client, one store and one item, and a function that sends requests as the client. */
async function opened(store: Store): Promise<{ room: Backroom; ask: (call: Call) => Promise<Answer> }> {
  const room = await openBackroom({}, { store });
  await room.operator('PUT', '/operator/v1/clients/C', { name: 'C', catalogIds: ['1'] });
  await room.operator('PUT', '/operator/v1/clients/C/stores/S', STORE);
  const { body } = await room.operator('POST', '/operator/v1/clients/C/credentials', { label: 'L' });
  const headers = clientHeaders(body as Secrets);
  const ask = (call: Call) => room.call({ ...call, headers: { ...headers, ...call.headers } });
  expect((await ask({ method: 'PUT', path: ITEM, body: item })).status).toBe(201);
  return { room, ask };
}

describePostgresOnly('while the database is down', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  it('every response is a 503 with Retry-After, that of /readyz too, and the service recovers by itself', async () => {
    await migrate(server.url, { now: () => 0 });
    const { room, ask } = await opened(await openStore(server.url));
    const calls: [name: string, send: () => Promise<Answer>][] = [
      ['a read', () => ask({ method: 'GET', path: READ })],
      ['a read of a missing item', () => ask({ method: 'GET', path: '/item-service/stores/S/items/1-NONE' })],
      ['a write', () => ask({ method: 'PUT', path: ITEM, body: { ...item, description: 'during' } })],
      ['a delete', () => ask({ method: 'DELETE', path: ITEM })],
      ['a message', () => ask({ method: 'POST', path: '/poasn-manager-service/sellers/SELL/poasn/create', body: {} })],
      ['wrong credentials', () => ask({ method: 'GET', path: READ, headers: { apikey: 'br_C_x_y' } })],
      ['a list of the operator', () => room.operator('GET', '/operator/v1/clients')],
      ['a change by the operator', () => room.operator('PUT', '/operator/v1/clients/C/stores/S', STORE)],
    ];
    for (const how of ['fast', 'immediate'] as const) {
      await server.stop(how);
      for (const [name, send] of calls) {
        const answer = await send();
        expect([name, answer.status]).toEqual([name, 503]);
        expect([name, answer.headers['retry-after']]).toEqual([name, expect.stringMatching(/^\d+$/)]);
        expect(answer.text).toContain('UNAVAILABLE');
      }
      const ready = await room.call({ method: 'GET', path: '/readyz' });
      expect([ready.status, ready.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect((await room.call({ method: 'GET', path: '/livez' })).status).toBe(200);
      await server.startAgain();
      expect((await room.call({ method: 'GET', path: '/readyz' })).status).toBe(200);
      const read = await ask({ method: 'GET', path: READ });
      expect([read.status, (read.body as typeof item).description]).toEqual([200, 'before']);
    }
    await room.close();
  });
});

describePostgresOnly('a connection that breaks during the commit', () => {
  describe.each([
    ['after the database received it', 'after', true],
    ['before the database received it', 'before', false],
  ] as const)('%s', (_name, when, wasDone) => {
    it('has an unknown outcome; the same request with the same key gets the actual one and takes effect once', async () => {
      const direct = await openTestStore();
      const proxy = await CuttingProxy.before(direct.url, when);
      const { room, ask } = await opened(await openStore(proxy.url));
      const request: Call = {
        method: 'PUT',
        path: ITEM,
        headers: { 'idempotency-key': 'one' },
        body: { ...item, description: 'after' },
      };
      await room.store.ping();
      proxy.cutNextCommit();
      const unclear = await ask(request);
      expect([unclear.status, unclear.body.code]).toEqual([503, 'OUTCOME_UNKNOWN']);
      expect(unclear.headers['retry-after']).toMatch(/^\d+$/);
      expect((await room.call({ method: 'GET', path: '/readyz' })).status).toBe(200);
      const again = await ask(request);
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, wasDone ? 'true' : undefined]);
      const events = await direct.read((db) =>
        db
          .selectFrom('events')
          .select('revision')
          .where('client_id', '=', 'C')
          .where('resource_id', '=', '1-A')
          .execute(),
      );
      expect(events.map(({ revision }) => revision).sort()).toEqual([1, 2]);
      const read = await ask({ method: 'GET', path: READ });
      expect((read.body as typeof item).description).toBe('after');
      await room.close();
      await proxy.close();
      await direct.close();
    });
  });
});
