import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GROUPS } from '../../src/platform/ctx.ts';
import { makeCredential } from '../../src/platform/http/auth.ts';
import { NOON, OPERATOR_KEY } from '../support/backroom.ts';
import { everythingStored } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { done, eventsOf, faultsOf, userBody } from './support.ts';

const TOWN = '/operator/v1/clients/TOWN';
const CREDENTIALS = `${TOWN}/credentials`;
const ITEM = '/item-service/stores/TOWN_US/items/21-MUG-WHT';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
});
afterEach(() => town.close());

const make = (sent: object) => town.operator('POST', CREDENTIALS, sent);

describe('a new credential', () => {
  it('is shown once, with key, user name and password, and opens every group', async () => {
    const made = await make({ label: 'All' });
    expect([made.status, Object.keys(made.body as object)]).toEqual([
      201,
      ['credentialId', 'apiKey', 'username', 'password', 'groups', 'proposedExpiresAt'],
    ]);
    const { credentialId, apiKey, username, password } = made.body as Record<string, string>;
    expect(apiKey).toMatch(new RegExp(`^br_TOWN_${credentialId}_[A-Za-z0-9_-]{43}$`));
    expect([username, password]).toEqual([`TOWN_${credentialId}`, expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)]);
    const read = await town.operator('GET', `${CREDENTIALS}/${credentialId}`);
    expect(read.body).toEqual({
      clientId: 'TOWN',
      credentialId,
      label: 'All',
      username,
      groups: ['items', 'inbound', 'fulfillment', 'intake', 'events', 'supervise', 'receiving', 'stock'],
      createdAt: '2026-03-02T12:00:00+00:00',
    });
    expect((await town.as(made.body).get(ITEM)).status).toBe(200);
  });

  it('is not stored in clear text: not in its row, its event, its stored response or elsewhere in the database file', async () => {
    const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'idempotency-key': 'once' };
    const call = { method: 'POST', path: CREDENTIALS, headers, body: { label: 'Hidden' } } as const;
    const made = await town.call(call);
    const { apiKey, password } = made.body as Record<string, string>;
    await done(town.operator('PUT', `${TOWN}/users/ines`, { ...userBody, password: 'correct horse battery' }));
    const again = await town.call(call);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([made.text, 'true']);
    const bytes = await everythingStored(town.store);
    expect(bytes.includes('Hidden')).toBe(true);
    for (const secret of [apiKey!, password!, apiKey!.slice(-43), 'correct horse battery', OPERATOR_KEY]) {
      expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
    }
  });

  it('is recorded without its secrets', async () => {
    const { credentialId, apiKey, password } = (await make({ label: 'Seen' })).body as Record<string, string>;
    const events = await eventsOf(town, 'credential', credentialId!);
    expect(events.map(({ type }) => type)).toEqual(['credential.created']);
    for (const secret of [apiKey!, password!]) expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('may be narrowed to stores, nodes and groups', async () => {
    const narrow = await town.credential({
      storeIds: ['TOWN_US'],
      nodeIds: ['TOWN-Store001'],
      groups: ['items', 'fulfillment'],
    });
    const read = await town.operator('GET', `${CREDENTIALS}/${narrow.secrets.credentialId}`);
    expect(read.body).toMatchObject({
      storeIds: ['TOWN_US'],
      nodeIds: ['TOWN-Store001'],
      groups: ['items', 'fulfillment'],
    });
    expect((await narrow.get(ITEM)).status).toBe(200);
    expect((await narrow.get(ITEM.replace('TOWN_US', 'TOWN_CA'))).status).toBe(403);
    const checkIn = (nodeId: string) =>
      narrow.get(`/stores/TOWN_US/nodes/${nodeId}/fulfillmentOrders/${town.orders.arriving}/checkin`);
    expect([(await checkIn('TOWN-Store001')).status, (await checkIn('TOWN-Store002')).status]).toEqual([200, 403]);
    const orders = await narrow.post('/operator/v1/stores/TOWN_US/fulfillmentOrders', []);
    expect([orders.status, orders.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  it('narrowed to nodes without groups is of group fulfillment only, and the response says so', async () => {
    const made = await make({ label: 'Counter', nodeIds: ['TOWN-Store001'] });
    expect(made.body).toMatchObject({ groups: ['fulfillment'], nodeIds: ['TOWN-Store001'] });
    const read = await town.operator('GET', `${CREDENTIALS}/${made.body.credentialId as string}`);
    expect(read.body.groups).toEqual(['fulfillment']);
    expect((await town.as(made.body).get(ITEM)).status).toBe(403);
    const named = await make({ label: 'Both', nodeIds: ['TOWN-Store001'], groups: ['items', 'fulfillment'] });
    expect(named.body.groups).toEqual(['items', 'fulfillment']);
    expect((await make({ label: 'Web', storeIds: ['TOWN_US'] })).body.groups).toEqual([...GROUPS]);
  });

  it('without an expiry is proposed one of six months, and stays good', async () => {
    const { body } = await make({ label: 'Long' });
    expect([body.expiresAt, body.proposedExpiresAt]).toEqual([undefined, '2026-08-29T12:00:00+00:00']);
    const short = await make({ label: 'Short', expiresAt: '2026-04-01T00:00:00Z' });
    expect([short.body.expiresAt, short.body.proposedExpiresAt]).toEqual(['2026-04-01T00:00:00+00:00', undefined]);
    const now = town.clock.now;
    town.clock.now = Date.UTC(2027, 0, 1);
    expect((await town.as(body).get(ITEM)).status).toBe(200);
    town.clock.now = now;
  });

  it('is rejected from its expiry on, to the millisecond', async () => {
    const expiresAt = new Date(NOON + 60_000).toISOString();
    const short = await town.credential({ expiresAt });
    town.clock.now = NOON + 59_999;
    expect((await short.get(ITEM)).status).toBe(200);
    town.clock.now = NOON + 60_000;
    const late = await short.get(ITEM);
    expect([late.status, late.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
    const read = await town.operator('GET', `${CREDENTIALS}/${short.secrets.credentialId}`);
    expect(read.body.expiresAt).toBe('2026-03-02T12:01:00+00:00');
  });

  it('names every error at once', async () => {
    const answer = await make({
      label: 'Wrong',
      storeIds: ['TOWN_US', 'OTHER_US', 'TOWN_US'],
      nodeIds: ['OTHER-Store001', 'TOWN-Store001'],
      groups: ['items', 'items'],
      expiresAt: '2026-03-02T12:00:00Z',
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      [
        '/storeIds/2 uniqueItems',
        '/groups/1 uniqueItems',
        '/storeIds/1 unknown-id',
        '/nodeIds/0 unknown-id',
        '/expiresAt future',
      ],
    ]);
  });

  it.each([
    ['label', [undefined, '', 'x'.repeat(121), 1], ['x', 'x'.repeat(120)]],
    [
      'storeIds',
      [[], 'TOWN_US', [''], [' TOWN_US'], Array.from({ length: 201 }, (_, i) => `S${i}`)],
      [['TOWN_US', 'TOWN_CA']],
    ],
    ['nodeIds', [[], 'TOWN-Store001', [1], Array.from({ length: 201 }, (_, i) => `N${i}`)], [['TOWN-DC001']]],
    [
      'groups',
      [
        [],
        'items',
        ['Items'],
        ['all'],
        ['items', 'inbound', 'fulfillment', 'intake', 'events', 'supervise', 'stock', 'items'],
      ],
      [['intake']],
    ],
    [
      'expiresAt',
      ['2026-03-03', 'tomorrow', '2027-02-30T00:00:00Z', '2027-01-01T00:00:00', 1],
      ['2027-01-01T00:00:00+02:00'],
    ],
    ['apiKey', ['x'], []],
  ])('takes %s within its limits only', async (member, bad, good) => {
    for (const value of bad) {
      const answer = await make({ label: 'x', [member]: value });
      expect([value, answer.status, faultsOf(answer)[0]]).toEqual([
        value,
        400,
        expect.stringMatching(new RegExp(`^/${member}[ /]`)),
      ]);
    }
    for (const value of good)
      expect([value, (await make({ label: 'x', [member]: value })).status]).toEqual([value, 201]);
  });

  it('has a key that leads back to its client, whatever the clientId', () => {
    const zeros = (size: number) => Buffer.alloc(size);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 32 }),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 32 }),
        (a, b) => {
          const [one, two] = [makeCredential(a, '00000000', zeros), makeCredential(b, '00000000', zeros)];
          expect(one.apiKey).toMatch(/^br_[A-Za-z0-9.~-]+_00000000_[A-Za-z0-9_-]{43}$/);
          expect(one.apiKey === two.apiKey).toBe(a === b);
        },
      ),
    );
  });

  it.each(['Töwn & Söhne', 'a_b', 'a~5fb', 'in side', '日本', '%2F/'])('works for the client %j', async (clientId) => {
    const path = `/operator/v1/clients/${encodeURIComponent(clientId)}`;
    await done(town.operator('PUT', path, { name: 'x', catalogIds: ['1'] }));
    await done(
      town.operator('PUT', `${path}/stores/X`, {
        name: 'x',
        catalogId: '1',
        sellerId: 'X',
        storeCode: '1',
        currency: 'EUR',
      }),
    );
    const made = await done(town.operator('POST', `${path}/credentials`, { label: 'x' }));
    const read = await town.as(made.body).get('/item-service/stores/X/items/1-NOTHING');
    expect([read.status, read.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a revoked credential', () => {
  it('is rejected at once, remains readable, and can be revoked again', async () => {
    const soon = await town.credential();
    expect((await soon.get(ITEM)).status).toBe(200);
    const path = `${CREDENTIALS}/${soon.secrets.credentialId}`;
    expect((await town.operator('DELETE', path)).status).toBe(204);
    const refused = await soon.get(ITEM);
    expect([refused.status, refused.body.code]).toEqual([403, 'CREDENTIALS_INVALID']);
    town.clock.now += 1000;
    expect((await town.operator('DELETE', path)).status).toBe(204);
    expect((await town.operator('GET', path)).body.revokedAt).toBe('2026-03-02T12:00:00+00:00');
    expect((await eventsOf(town, 'credential', soon.secrets.credentialId)).map(({ type }) => type)).toEqual([
      'credential.created',
      'credential.revoked',
    ]);
    expect((await town.client.get(ITEM)).status).toBe(200);
  });

  it('that is of another client is not found', async () => {
    const path = `${CREDENTIALS}/${town.neighbour.secrets.credentialId}`;
    expect((await town.operator('DELETE', path)).status).toBe(404);
    expect((await town.operator('GET', path)).status).toBe(404);
    expect((await town.neighbour.get('/item-service/stores/OTHER_US/items/21-MUG-WHT')).status).toBe(200);
  });
});
