import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';
import { eventsOf } from './support.ts';

const TOWN = '/operator/v1/clients/TOWN';
const OTHER = '/operator/v1/clients/OTHER';
const body = { name: 'New', catalogId: '21', sellerId: 'NEWS', storeCode: '1', currency: 'USD' };

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
});
afterEach(() => town.close());

const put = (path: string, sent: object) => town.operator('PUT', path, sent);
const detail = async (path: string, sent: object) => {
  const answer = await put(path, sent);
  return [answer.status, answer.body.detail as string] as const;
};

describe('PUT of a web store', () => {
  it('makes it with 201, changes it with 200, and records both', async () => {
    const made = await put(`${TOWN}/stores/NEW`, body);
    expect([made.status, made.body]).toEqual([
      201,
      {
        clientId: 'TOWN',
        storeId: 'NEW',
        ...body,
        returnsLabel: false,
        createdAt: '2026-03-02T12:00:00+00:00',
        updatedAt: '2026-03-02T12:00:00+00:00',
      },
    ]);
    town.clock.now += 1000;
    const changed = await put(`${TOWN}/stores/NEW`, { ...body, returnsLabel: true, currency: 'CAD' });
    expect([changed.status, changed.body.returnsLabel, changed.body.currency]).toEqual([200, true, 'CAD']);
    const same = await put(`${TOWN}/stores/NEW`, { ...body, returnsLabel: true, currency: 'CAD' });
    expect([same.status, same.body]).toEqual([200, changed.body]);
    expect((await eventsOf(town, 'store', 'NEW')).map(({ type, data }) => [type, data])).toEqual([
      ['store.created', made.body],
      ['store.changed', { currency: { from: 'USD', to: 'CAD' }, returnsLabel: { from: false, to: true } }],
    ]);
  });

  it('takes a storeId once in an installation, and does not say whose it is', async () => {
    const [status, text] = await detail(`${TOWN}/stores/OTHER_US`, body);
    expect([status, text]).toEqual([409, 'The storeId "OTHER_US" is taken in this installation; choose another.']);
    expect((await town.operator('GET', `${TOWN}/stores/OTHER_US`)).status).toBe(404);
  });

  it('takes a sellerId for one client, and does not say whose it is', async () => {
    const [status, text] = await detail(`${TOWN}/stores/NEW`, { ...body, sellerId: 'OTHERS' });
    expect([status, text]).toEqual([409, 'The sellerId "OTHERS" is taken in this installation; choose another.']);
    expect((await put(`${TOWN}/stores/NEW`, { ...body, sellerId: 'others' })).status).toBe(201);
  });

  it('takes a storeCode once a seller', async () => {
    const [status, text] = await detail(`${TOWN}/stores/NEW`, { ...body, sellerId: 'TOWNS', storeCode: '988' });
    expect([status, text]).toEqual([409, expect.stringContaining('is taken by store "TOWN_US"')]);
    expect((await put(`${TOWN}/stores/NEW`, { ...body, storeCode: '988' })).status).toBe(201);
    const moved = await detail(`${TOWN}/stores/NEW`, { ...body, sellerId: 'TOWNS', storeCode: '988' });
    expect(moved[0]).toBe(409);
    expect((await town.operator('GET', `${TOWN}/stores/NEW`)).body.sellerId).toBe('NEWS');
  });

  it('gives a seller free again when its last store leaves it', async () => {
    await put(`${TOWN}/stores/NEW`, body);
    expect((await put(`${OTHER}/stores/FOREIGN`, { ...body, currency: 'EUR' })).status).toBe(409);
    await put(`${TOWN}/stores/NEW2`, { ...body, storeCode: '2' });
    await put(`${TOWN}/stores/NEW2`, { ...body, storeCode: '2', sellerId: 'TOWNS' });
    expect((await put(`${OTHER}/stores/FOREIGN`, { ...body, currency: 'EUR' })).status).toBe(409);
    await put(`${TOWN}/stores/NEW`, { ...body, sellerId: 'TOWNS' });
    expect((await put(`${OTHER}/stores/FOREIGN`, { ...body, currency: 'EUR' })).status).toBe(201);
    expect((await put(`${OTHER}/stores/FOREIGN2`, { ...body, sellerId: 'TOWNS', storeCode: '7' })).status).toBe(409);
  });

  it.each([
    ['catalogId', { catalogId: '22' }],
    ['sellerId', { sellerId: 'NEWS' }],
    ['storeCode', { storeCode: '1' }],
    ['currency', { currency: 'EUR' }],
  ])('keeps the %s of a store that has orders', async (member, change) => {
    await put(TOWN, { name: 'Town Outfitters', catalogIds: ['21', '22'] });
    const own = (await town.operator('GET', `${TOWN}/stores/TOWN_US`)).body as Record<string, unknown>;
    const [status, text] = await detail(`${TOWN}/stores/TOWN_US`, { ...own, ...change });
    expect([status, text]).toEqual([409, expect.stringContaining(`so its ${member} cannot change`)]);
    expect((await town.operator('GET', `${TOWN}/stores/TOWN_US`)).body).toEqual(own);
    expect((await put(`${TOWN}/stores/TOWN_US`, { ...own, name: 'Renamed', returnsLabel: false })).status).toBe(200);
  });

  it('keeps the storeCode of a store that has an inbound shipment only', async () => {
    await put(`${TOWN}/stores/NEW`, body);
    const message = {
      ReceivingDetail: {
        POData: [
          {
            Header: {
              ShipmentNumber: 'PO-1',
              ReceivingType: 'P',
              ReceivingWarehouseId: 'DC001',
              ShipmentReceiptDate: '2026-03-09',
              ShipperName: 'Mill',
              StoreCode: '1',
            },
            Details: {
              Detail: [
                {
                  ClientItemId: 'MUG-WHT',
                  ItemCost: 3,
                  ReceivingWarehouseId: 'DC001',
                  ShippedQuantity: 12,
                  TrailerNumber: 'T1',
                },
              ],
            },
          },
        ],
      },
    };
    const sent = await town.client.post('/poasn-manager-service/sellers/NEWS/poasn/create', message);
    expect([sent.status, sent.text]).toEqual([200, sent.text]);
    expect((await put(`${TOWN}/stores/NEW`, { ...body, storeCode: '2' })).status).toBe(409);
  });

  it('decides a race for one storeId, one seller and one storeCode: one request wins, the others are rejected', async () => {
    const race = async (paths: string[], sent: object) =>
      (await Promise.all(paths.map((path) => put(path, sent)))).map(({ status }) => status).sort();
    const six = Array.from({ length: 6 }, (_, index) => index);
    expect(await race([`${TOWN}/stores/R1`, `${OTHER}/stores/R1`], { ...body, sellerId: 'R1' })).toEqual([201, 409]);
    expect(await race([`${TOWN}/stores/R2`, `${OTHER}/stores/R3`], { ...body, sellerId: 'R2' })).toEqual([201, 409]);
    expect(
      await race(
        six.map((index) => `${TOWN}/stores/R4-${index}`),
        { ...body, sellerId: 'R4' },
      ),
    ).toEqual([201, 409, 409, 409, 409, 409]);
    expect(
      await race(
        six.map(() => `${TOWN}/stores/R5`),
        { ...body, sellerId: 'R5' },
      ),
    ).toEqual([200, 200, 200, 200, 200, 201]);
  });

  it('is 404 for a client that does not exist', async () => {
    expect((await put('/operator/v1/clients/NOBODY/stores/NEW', body)).status).toBe(404);
  });
});
