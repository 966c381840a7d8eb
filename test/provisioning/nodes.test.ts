import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { eventsOf, faultsOf, nodeBody } from './support.ts';

const TOWN = '/operator/v1/clients/TOWN';
const warehouse = { ...nodeBody, nodeType: 'WAREHOUSE' };

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
});
afterEach(() => town.close());

const put = (path: string, sent: object) => town.operator('PUT', path, sent);

describe('PUT of a node', () => {
  it('makes it with 201, changes it with 200, and records both', async () => {
    const made = await put(`${TOWN}/nodes/NEW`, nodeBody);
    const times = { createdAt: '2026-03-02T12:00:00+00:00', updatedAt: '2026-03-02T12:00:00+00:00' };
    const defaults = {
      holidays: [],
      declinePolicy: 'NO_HOLD',
      stock: 'NOT_KEPT',
      promise: 'ANY',
      receiveTo: 'SHELF',
    };
    expect([made.status, made.body]).toEqual([
      201,
      { clientId: 'TOWN', nodeId: 'NEW', ...nodeBody, ...defaults, ...times },
    ]);
    const changed = await put(`${TOWN}/nodes/NEW`, { ...nodeBody, holdLocations: ['H1'] });
    expect([changed.status, changed.body.holdLocations]).toEqual([200, ['H1']]);
    expect((await put(`${TOWN}/nodes/NEW`, { ...nodeBody, holdLocations: ['H1'] })).body).toEqual(changed.body);
    expect((await eventsOf(town, 'node', 'NEW')).map(({ type, data }) => [type, data])).toEqual([
      ['node.created', made.body],
      ['node.changed', { holdLocations: { from: [], to: ['H1'] } }],
    ]);
  });

  it('gives a warehouse its nodeId as receivingWarehouseId where it fits, and a store none', async () => {
    expect((await put(`${TOWN}/nodes/DC002`, warehouse)).body.receivingWarehouseId).toBe('DC002');
    expect((await put(`${TOWN}/nodes/DC-003`, warehouse)).body).not.toHaveProperty('receivingWarehouseId');
    expect((await put(`${TOWN}/nodes/S2`, nodeBody)).body).not.toHaveProperty('receivingWarehouseId');
  });

  it('leaves how the node keeps stock as it is where that is left out', async () => {
    const stock = { stock: 'KEPT', promise: 'AVAILABLE', receiveTo: 'STAGE' };
    expect((await put(`${TOWN}/nodes/NEW`, { ...nodeBody, ...stock })).body).toMatchObject(stock);
    expect((await put(`${TOWN}/nodes/NEW`, nodeBody)).body).toMatchObject(stock);
    const back = await put(`${TOWN}/nodes/NEW`, { ...nodeBody, stock: 'NOT_KEPT' });
    expect(back.body).toMatchObject({ ...stock, stock: 'NOT_KEPT' });
  });

  it('takes a receivingWarehouseId of a store', async () => {
    expect((await put(`${TOWN}/nodes/S3`, { ...nodeBody, receivingWarehouseId: 'W3' })).body.receivingWarehouseId).toBe(
      'W3',
    );
  });

  it('takes a receivingWarehouseId once a client', async () => {
    const taken = await put(`${TOWN}/nodes/NEW`, { ...warehouse, receivingWarehouseId: 'DC001' });
    expect([taken.status, taken.body.detail]).toEqual([409, expect.stringContaining('is taken by node "TOWN-DC001"')]);
    expect((await put(`${TOWN}/nodes/DC001`, warehouse)).status).toBe(409);
    expect((await put(`${TOWN}/nodes/NEW`, warehouse)).status).toBe(201);
    const moved = await put(`${TOWN}/nodes/NEW`, { ...warehouse, receivingWarehouseId: 'DC001' });
    expect([moved.status, moved.body.detail]).toEqual([409, expect.stringContaining('is taken by node "TOWN-DC001"')]);
    expect((await put(`${TOWN}/nodes/NEW`, { ...warehouse, receivingWarehouseId: 'dc001' })).status).toBe(200);
    expect(
      (await put('/operator/v1/clients/OTHER/nodes/DC001', { ...warehouse, receivingWarehouseId: 'DC9' })).status,
    ).toBe(201);
  });

  it('decides a race for one receivingWarehouseId', async () => {
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((id) => put(`${TOWN}/nodes/RACE-${id}`, { ...warehouse, receivingWarehouseId: 'RACE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('names every error at once', async () => {
    const span = (opens: string, closes: string, dayOfWeek = 'MONDAY') => ({ dayOfWeek, opens, closes });
    const answer = await put(`${TOWN}/nodes/NEW`, {
      ...nodeBody,
      nodeId: 'OLD',
      timeZone: 'Nowhere',
      openingHours: [
        span('09:00', '12:00'),
        span('12:00', '12:00'),
        span('22:00', '02:00'),
        span('11:00', '13:00'),
        span('12:00', '14:00', 'TUESDAY'),
      ],
      holdLocations: ['A', 'B', 'A'],
      fulfillmentTypes: ['STORE_PICK_UP', 'STORE_PICK_UP'],
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      [
        '/nodeId path-mismatch',
        '/timeZone timeZone',
        '/openingHours/1/closes openingHours',
        '/openingHours/2/closes openingHours',
        '/openingHours/3 openingHours',
        '/holdLocations/2 uniqueItems',
        '/fulfillmentTypes/1 uniqueItems',
      ],
    ]);
  });

  it.each(['9:00', '24:01', '25:00', '09:60', '0900', '', '09:00:00'])(
    'rejects %j as an opening time',
    async (opens) => {
      const answer = await put(`${TOWN}/nodes/NEW`, {
        ...nodeBody,
        openingHours: [{ dayOfWeek: 'MONDAY', opens, closes: '24:00' }],
      });
      expect(answer.status).toBe(400);
      expect(faultsOf(answer).every((fault) => fault.startsWith('/openingHours/0/opens '))).toBe(true);
    },
  );

  it.each(['Monday', 'MO', '', 1])('rejects %j as a day of the week', async (dayOfWeek) => {
    const answer = await put(`${TOWN}/nodes/NEW`, {
      ...nodeBody,
      openingHours: [{ dayOfWeek, opens: '00:00', closes: '24:00' }],
    });
    expect([answer.status, faultsOf(answer)[0]]).toEqual([
      400,
      expect.stringMatching(/^\/openingHours\/0\/dayOfWeek (enum|type)$/),
    ]);
  });

  it.each(['SHIP_FROM_STORE', 'store_pick_up', ''])('rejects %j as a fulfillment type', async (type) => {
    const answer = await put(`${TOWN}/nodes/NEW`, { ...nodeBody, fulfillmentTypes: [type] });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['/fulfillmentTypes/0 enum']]);
  });
});

describe('PUT of an item in a node', () => {
  const feed = `${TOWN}/nodes/TOWN-Store002/items/21-MUG-WHT`;

  it('makes, overwrites and forgets what the node knows', async () => {
    const made = await put(feed, { retailPrice: 9.75, pickLocation: 'M-04', onHand: 12 });
    const names = {
      clientId: 'TOWN',
      nodeId: 'TOWN-Store002',
      itemId: '21-MUG-WHT',
      updatedAt: '2026-03-02T12:00:00+00:00',
    };
    expect([made.status, made.body]).toEqual([201, { ...names, retailPrice: 9.75, pickLocation: 'M-04', onHand: 12 }]);
    const changed = await put(feed, { onHand: 0 });
    expect([changed.status, changed.body]).toEqual([200, { ...names, onHand: 0 }]);
    expect((await town.operator('GET', feed)).body).toEqual(changed.body);
    expect((await put(feed, {})).body).toEqual(names);
    expect((await eventsOf(town, 'nodeItem', 'TOWN-Store002/21-MUG-WHT')).map(({ type }) => type)).toEqual([
      'nodeItem.created',
      'nodeItem.changed',
      'nodeItem.changed',
    ]);
  });

  it('that changes nothing writes nothing', async () => {
    const own = `${TOWN}/nodes/TOWN-Store001/items/21-MUG-WHT`;
    const before = await town.operator('GET', own);
    expect((await put(own, { retailPrice: 9.5, pickLocation: 'B-02-1', onHand: 40 })).text).toBe(before.text);
    expect(await eventsOf(town, 'nodeItem', 'TOWN-Store001/21-MUG-WHT')).toHaveLength(1);
  });

  it('keeps the digits of a price', async () => {
    const retailPrice = new Decimal('1234567890123456789.01');
    expect((await put(feed, { retailPrice })).text).toContain('"retailPrice":1234567890123456789.01');
  });

  it.each([
    ['retailPrice', 0.01, 0, 'minimum'],
    ['retailPrice', 1.25, 1.255, 'fractionDigits'],
    ['retailPrice', new Decimal('9999999999999999999'), new Decimal('10000000000000000000'), 'integerDigits'],
    ['retailPrice', 1, '1', 'type'],
    ['pickLocation', 'x'.repeat(40), 'x'.repeat(41), 'maxLength'],
    ['pickLocation', 'x', '', 'minLength'],
    ['pickLocation', 'x y', ' x', 'pattern'],
    ['onHand', 0, -1, 'minimum'],
    ['onHand', 999_999_999, 1_000_000_000, 'maximum'],
    ['onHand', 5, 5.5, 'type'],
    ['clientId', 'TOWN', 'OTHER', 'path-mismatch'],
    ['nodeId', 'TOWN-Store002', 'TOWN-Store001', 'path-mismatch'],
    ['itemId', '21-MUG-WHT', '21-SOAP-LAV', 'path-mismatch'],
  ])('accepts %s %s and rejects %s', async (member, good, bad, rule) => {
    expect((await put(feed, { [member]: good })).status).toBe(201);
    const answer = await put(feed, { [member]: bad });
    expect([answer.status, faultsOf(answer)]).toEqual([400, [`/${member} ${rule}`]]);
  });

  it('is 404 for an item, a node or a client that does not exist', async () => {
    for (const path of [
      `${TOWN}/nodes/TOWN-Store002/items/21-OTHER-ONLY`,
      `${TOWN}/nodes/OTHER-Store001/items/21-MUG-WHT`,
      '/operator/v1/clients/NOBODY/nodes/TOWN-Store002/items/21-MUG-WHT',
    ]) {
      expect([path, (await put(path, { onHand: 1 })).status]).toEqual([path, 404]);
      expect([path, (await town.operator('GET', path)).status]).toEqual([path, 404]);
    }
  });
});

describePostgresOnly('two PUTs of a node at once', () => {
  it('keep the stock settings that only one of them sends', async () => {
    await put(`${TOWN}/nodes/NEW`, nodeBody);
    const settings = { stock: 'KEPT', promise: 'AVAILABLE' } as const;
    const other = await town.store.write(async (tx) => {
      const locked = tx.selectFrom('nodes').select('node_id').where('node_id', '=', 'NEW').forUpdate();
      await locked.executeTakeFirstOrThrow();
      const waiting = put(`${TOWN}/nodes/NEW`, { ...nodeBody, holidays: ['2026-12-24'] });
      await untilBlocked(town.store);
      await tx
        .updateTable('nodes')
        .set({ ...settings, receive_to: 'STAGE' })
        .where('node_id', '=', 'NEW')
        .execute();
      return [waiting];
    });
    const kept = { ...settings, receiveTo: 'STAGE', holidays: ['2026-12-24'] };
    expect((await other[0]!).body).toMatchObject(kept);
    expect((await town.operator('GET', `${TOWN}/nodes/NEW`)).body).toMatchObject(kept);
  });
});
