import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/shared/client-settings.ts';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { eventsOf, faultsOf } from './support.ts';

const TOWN = '/operator/v1/clients/TOWN';
const body = { name: 'Town Outfitters', catalogIds: ['21'] };

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const put = (path: string, sent: object) => town.operator('PUT', path, sent);

describe('PUT of a client', () => {
  it('creates it with 201, changes it with 200, and returns it as stored', async () => {
    const path = '/operator/v1/clients/NEW';
    const made = await put(path, { name: 'New', catalogIds: ['1'] });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      clientId: 'NEW',
      name: 'New',
      catalogIds: ['1'],
      settings: {},
      createdAt: '2026-03-02T12:00:00+00:00',
      updatedAt: '2026-03-02T12:00:00+00:00',
    });
    town.clock.now += 60_000;
    const changed = await put(path, { name: 'Newer', catalogIds: ['1'] });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...(made.body as object), name: 'Newer', updatedAt: '2026-03-02T12:01:00+00:00' });
    expect((await town.operator('GET', path)).body).toEqual(changed.body);
  });

  it('that changes nothing writes nothing', async () => {
    const before = await town.operator('GET', TOWN);
    const events = await eventsOf(town, 'client', 'TOWN');
    town.clock.now += 60_000;
    const again = await put(TOWN, body);
    expect([again.status, again.body]).toEqual([200, before.body]);
    expect(await eventsOf(town, 'client', 'TOWN')).toEqual(events);
  });

  it('records who made it and what changed', async () => {
    await put(TOWN, { ...body, name: 'Town & Sons' });
    const events = await eventsOf(town, 'client', 'TOWN');
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ['client.created', 'operator:env'],
      ['client.changed', 'operator:env'],
    ]);
    expect(events[1]!.data).toEqual({ name: { from: 'Town Outfitters', to: 'Town & Sons' } });
  });

  it('overwrites: settings that are left out go back to the defaults', async () => {
    const settings = async () => {
      const row = await town.store.read((db) =>
        db.selectFrom('clients').select('settings').where('client_id', '=', 'TOWN').executeTakeFirstOrThrow(),
      );
      return settingsOf(row);
    };
    await put(TOWN, {
      ...body,
      settings: { slaMinutes: { PACK: 5 }, upcTypes: ['X'], statusDescriptions: { 1100: 'To pick' } },
    });
    const own = await settings();
    expect([own.slaMinutes.PACK, own.slaMinutes.START_PICK, own.upcTypes, own.statusDescriptions['1100']]).toEqual([
      5,
      45,
      ['X'],
      'To pick',
    ]);
    expect(own.statusDescriptions['1200']).toBe('Waiting for pack');
    await put(TOWN, body);
    const plain = await settings();
    expect([plain.slaMinutes.PACK, plain.upcTypes.includes('X')]).toEqual([120, false]);
  });

  it('takes new catalogs and keeps those that a store or an item is in', async () => {
    expect((await put(TOWN, { ...body, catalogIds: ['22', '21', '2'] })).status).toBe(200);
    expect((await put(TOWN, { ...body, catalogIds: ['21', '2'] })).status).toBe(200);
    const store = await put(TOWN, { ...body, catalogIds: ['2'] });
    expect([store.status, store.body.detail]).toEqual([409, expect.stringContaining('store "TOWN_CA"')]);
    const item = {
      catalogId: '2',
      clientId: 'TOWN',
      clientItemId: 'X',
      itemId: '2-X',
      type: 'MERCH',
      salesClass: 'stock',
      styleId: '',
      taxCode: '',
    };
    expect((await town.client.put('/item-service/clients/TOWN/items/2-X', item)).status).toBe(201);
    const used = await put(TOWN, body);
    expect([used.status, used.body.detail]).toEqual([409, expect.stringContaining('"2-X"')]);
    expect((await town.operator('GET', TOWN)).body.catalogIds).toEqual(['21', '2']);
    await town.client.delete('/item-service/clients/TOWN/items/2-X');
    expect((await put(TOWN, body)).status).toBe(200);
  });

  it('keeps the ids of queues while orders are on them', async () => {
    const settings = { queueIds: { WAITING_FOR_PICK_ISPU: 'QUE-123' } };
    const refused = await put(TOWN, { ...body, settings });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Orders are on the queues')]);
    const same = { queueIds: { WAITING_FOR_PICK_ISPU: 'WAITING_FOR_PICK_ISPU' } };
    expect((await put(TOWN, { ...body, settings: same })).status).toBe(200);
    const empty = await openTown({ upTo: 'catalog' });
    expect((await empty.operator('PUT', TOWN, { ...body, settings })).status).toBe(200);
    await empty.close();
  });

  it('names every error at once', async () => {
    const answer = await put('/operator/v1/clients/NEW', {
      clientId: 'OLD',
      name: 'New',
      catalogIds: ['1', '2', '1'],
      settings: {
        itemTypes: [
          { name: 'GIFT WRAP', physical: true, gift: false },
          { name: 'gift_wrap', physical: true, gift: false },
        ],
        salesClasses: ['a', 'a'],
        itemStatuses: ['a', 'a'],
        giftCardTenderCodes: ['a', 'a'],
        upcTypes: ['a', 'a'],
        cancelReasons: [
          { code: 'a', description: 'x' },
          { code: 'a', description: 'y' },
        ],
        queueIds: {
          WAITING_FOR_PICK_ISPU: 'WAITING_FOR_PICK_SFS',
          WAITING_FOR_DELIVERY: 'Q',
          WAITING_FOR_CHECKIN_STS: 'Q',
        },
      },
    });
    expect(answer.status).toBe(400);
    expect(faultsOf(answer).sort()).toEqual([
      '/catalogIds/2 uniqueItems',
      '/clientId path-mismatch',
      '/settings/cancelReasons/1 uniqueItems',
      '/settings/giftCardTenderCodes/1 uniqueItems',
      '/settings/itemStatuses/1 uniqueItems',
      '/settings/itemTypes/1 uniqueItems',
      '/settings/queueIds/WAITING_FOR_CHECKIN_STS uniqueItems',
      '/settings/queueIds/WAITING_FOR_DELIVERY uniqueItems',
      '/settings/queueIds/WAITING_FOR_PICK_ISPU uniqueItems',
      '/settings/salesClasses/1 uniqueItems',
      '/settings/upcTypes/1 uniqueItems',
    ]);
    expect((await town.operator('GET', '/operator/v1/clients/NEW')).status).toBe(404);
  });

  it.each([
    ['a hyphen', '2-1'],
    ['a hyphen alone', '-'],
    ['white space at an end', '2 '],
    ['five characters', '21212'],
  ])('rejects a catalogId with %s', async (_what, catalogId) => {
    const answer = await put('/operator/v1/clients/NEW', { name: 'New', catalogIds: [catalogId] });
    expect([answer.status, faultsOf(answer)[0]]).toEqual([
      400,
      expect.stringMatching(/^\/catalogIds\/0 (pattern|maxLength)$/),
    ]);
  });

  it.each([
    ['/settings/itemTypes/0/name', { itemTypes: [{ name: 'x'.repeat(41), physical: true, gift: false }] }, 'maxLength'],
    ['/settings/itemTypes/0/physical', { itemTypes: [{ name: 'x', gift: false }] }, 'required'],
    ['/settings/itemTypes/0/gift', { itemTypes: [{ name: 'x', physical: true, gift: 0 }] }, 'type'],
    [
      '/settings/itemTypes',
      { itemTypes: Array.from({ length: 101 }, (_, i) => ({ name: `T${i}`, physical: true, gift: false })) },
      'maxItems',
    ],
    ['/settings/salesClasses/0', { salesClasses: ['x'.repeat(26)] }, 'maxLength'],
    ['/settings/itemStatuses/0', { itemStatuses: [''] }, 'minLength'],
    ['/settings/giftCardTenderCodes/0', { giftCardTenderCodes: ['x'.repeat(11)] }, 'maxLength'],
    ['/settings/upcTypes/0', { upcTypes: ['x'.repeat(13)] }, 'maxLength'],
    ['/settings/cancelReasons/0/code', { cancelReasons: [{ code: 'x'.repeat(41), description: 'x' }] }, 'maxLength'],
    ['/settings/printing/logoUrl', { printing: { logoUrl: 'javascript:alert(1)' } }, 'pattern'],
    ['/settings/printing/logoUrl', { printing: { logoUrl: 'https://x.example/l.png' } }, 'origin'],
    ['/settings/printing/logoUrl', { printing: { logoUrl: `https://${'x'.repeat(493)}` } }, 'maxLength'],
    ['/settings/printing/header', { printing: { header: 'x'.repeat(201) } }, 'maxLength'],
    ['/settings/printing/footer', { printing: { footer: 'x'.repeat(501) } }, 'maxLength'],
    ['/settings/printing/returnText', { printing: { returnText: 'x'.repeat(1_001) } }, 'maxLength'],
    ['/settings/cancelReasons/0/description', { cancelReasons: [{ code: 'x', description: '' }] }, 'minLength'],
    ['/settings/slaMinutes/PACK', { slaMinutes: { PACK: 0 } }, 'minimum'],
    ['/settings/slaMinutes/PACK', { slaMinutes: { PACK: 525_601 } }, 'maximum'],
    ['/settings/slaMinutes/PACK', { slaMinutes: { PACK: 1.5 } }, 'type'],
    ['/settings/slaMinutes/PAKC', { slaMinutes: { PAKC: 1 } }, 'unknown'],
    ['/settings/slaDefinitions/PICK_UP', { slaDefinitions: { PICK_UP: {} } }, 'unknown'],
    [
      '/settings/slaDefinitions/SHIP_TO_HOME/DELIVERY',
      { slaDefinitions: { SHIP_TO_HOME: { DELIVERY: {} } } },
      'unknown',
    ],
    [
      '/settings/slaDefinitions/SHIP_TO_HOME/PACK/counts',
      { slaDefinitions: { SHIP_TO_HOME: { PACK: { counts: 'DAYS' } } } },
      'enum',
    ],
    [
      '/settings/slaDefinitions/SHIP_TO_HOME/PACK/expiredMinutes',
      { slaDefinitions: { SHIP_TO_HOME: { PACK: { expiredMinutes: 525_601 } } } },
      'maximum',
    ],
    [
      '/settings/slaDefinitions/SHIP_TO_HOME/PACK/approachingMinutes',
      { slaDefinitions: { SHIP_TO_HOME: { PACK: { approachingMinutes: 120 } } } },
      'range',
    ],
    [
      '/settings/slaDefinitions/STORE_PICK_UP/START_PICK/approachingMinutes',
      {
        slaMinutes: { START_PICK: 10 },
        slaDefinitions: { STORE_PICK_UP: { START_PICK: { approachingMinutes: 10 } }, SHIP_TO_HOME: {} },
      },
      'range',
    ],
    ['/settings/blankAfterDays', { blankAfterDays: 0 }, 'minimum'],
    ['/settings/blankAfterDays', { blankAfterDays: 3_651 }, 'maximum'],
    ['/settings/statusDescriptions/1100', { statusDescriptions: { 1100: '' } }, 'minLength'],
    ['/settings/statusDescriptions/1234', { statusDescriptions: { 1234: 'x' } }, 'unknown'],
    ['/settings/queueIds/WAITING_FOR_DELIVERY', { queueIds: { WAITING_FOR_DELIVERY: 'x'.repeat(41) } }, 'maxLength'],
    ['/settings/queueIds/QUEUE', { queueIds: { QUEUE: 'x' } }, 'unknown'],
    ['/settings/unknown', { unknown: 1 }, 'unknown'],
  ])('refuses %s: %j', async (pointer, settings, rule) => {
    const answer = await put(TOWN, { ...body, settings });
    expect([answer.status, faultsOf(answer)]).toEqual([400, [`${pointer} ${rule}`]]);
  });
});

describePostgresOnly('PUT of a client beside a write that is not committed', () => {
  it('waits for orders before it decides that the queues are empty', async () => {
    await town.store.write((tx) => tx.updateTable('fulfillment_orders').set({ queue_id: null }).execute());
    const { answer } = await town.store.write(async (tx) => {
      const order = tx.updateTable('fulfillment_orders').set({ queue_id: 'WAITING_FOR_PICK_ISPU' });
      await order.where('fulfillment_order_id', '=', town.orders.waiting).execute();
      const waiting = put(TOWN, { ...body, settings: { queueIds: { WAITING_FOR_PICK_ISPU: 'QUE-123' } } });
      await untilBlocked(town.store);
      return { answer: waiting };
    });
    expect((await answer).status).toBe(409);
  });

  it('waits for items before it removes a catalog', async () => {
    await put(TOWN, { ...body, catalogIds: ['21', '22'] });
    const { answer } = await town.store.write(async (tx) => {
      const item = await tx
        .selectFrom('items')
        .selectAll()
        .where('item_id', '=', '21-MUG-WHT')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('items')
        .values({ ...item, item_id: '22-MUG-WHT' })
        .execute();
      const waiting = put(TOWN, body);
      await untilBlocked(town.store);
      return { answer: waiting };
    });
    expect((await answer).status).toBe(409);
  });

  it('removes a catalog without a deadlock with the write of a bundle, which locks items and then the client', async () => {
    await put(TOWN, { ...body, catalogIds: ['21', '22'] });
    const { answer } = await town.store.write(async (tx) => {
      const { dialect } = town.store;
      await tx
        .selectFrom('items')
        .select('item_id')
        .where('item_id', '=', '21-MUG-WHT')
        .modifyEnd(dialect.forUpdate)
        .execute();
      const waiting = put(TOWN, body);
      await untilBlocked(town.store);
      await sql`set local lock_timeout = '300ms'`.execute(tx);
      const client = tx.selectFrom('clients').select('client_id').where('client_id', '=', 'TOWN');
      await client.modifyEnd(dialect.forNoKeyUpdate).execute();
      return { answer: waiting };
    });
    expect((await answer).status).toBe(200);
  });
});
