import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QUEUE_IDS } from '../../src/kernel/states.ts';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { type OpenTown, openTown } from '../support/town.ts';

const PATH = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/settings';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown({ neighbours: true });
});
afterEach(() => town.close());

describe('the settings that work at a node needs', () => {
  it('are the defaults where the client has none of its own', async () => {
    const { status, body } = await town.client.get(PATH);
    const {
      cancelReasons,
      verificationMethods,
      pin,
      handOverProof,
      weightUnits,
      sizeUnits,
      boxes,
      imageOrigins,
      printing,
    } = DEFAULT_SETTINGS;
    const { reasons, conditions, blind } = DEFAULT_SETTINGS.returns;
    expect([status, body]).toEqual([
      200,
      {
        name: 'Harbour Street',
        timeZone: 'America/New_York',
        address: expect.objectContaining({ line1: '1 Harbour Street', city: 'Newport' }),
        holdLocations: ['A1', 'A2', 'B1', 'B2', 'C1'],
        stock: 'NOT_KEPT',
        receiveTo: 'SHELF',
        stores: [
          {
            storeId: 'TOWN_CA',
            name: expect.any(String),
            catalogId: '21',
            currency: 'CAD',
            returns: { reasons, conditions, blind },
          },
          {
            storeId: 'TOWN_US',
            name: expect.any(String),
            catalogId: '21',
            currency: 'USD',
            returns: { reasons, conditions, blind },
          },
        ],
        queues: QUEUE_IDS.map((one) => ({ defaultId: one, queueId: one })),
        cancelReasons,
        resourceTypes: [],
        verificationMethods,
        pin,
        handOverProof,
        weightUnits,
        sizeUnits,
        boxes,
        imageOrigins,
        printing,
      },
    ]);
  });

  it('are the client’s own lists where it has them', async () => {
    const client = (await town.operator('GET', '/operator/v1/clients/TOWN')).body;
    const printing = {
      logoUrl: 'https://images.example.com/logo.svg',
      header: 'Town Outfitters',
      footer: '1 Harbour Street\nwww.example.com',
      returnText: 'Return within 30 days.',
    };
    const settings = {
      verificationMethods: ['PIN'],
      pin: { required: true },
      weightUnits: ['KG'],
      boxes: [
        { name: 'Small', length: 30, width: 20, height: 10.5, sizeUnit: 'CM', weight: 0.2, weightUnit: 'KG' },
        { name: 'Tube', length: 60, width: 8, height: 8, sizeUnit: 'CM' },
      ],
      printing,
      contact: { language: 'de' },
      imageOrigins: ['https://images.example.com'],
    };
    await town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings });
    expect((await town.client.get(PATH)).body).toMatchObject({
      verificationMethods: ['PIN'],
      pin: { required: true, attempts: 5, lockMinutes: 15 },
      boxes: settings.boxes,
      weightUnits: ['KG'],
      sizeUnits: DEFAULT_SETTINGS.sizeUnits,
      printing,
      customerLanguage: 'de',
      imageOrigins: ['https://images.example.com'],
    });
  });

  it('name queues as the client does', async () => {
    const empty = await openTown({ upTo: 'catalog' });
    try {
      const client = (await empty.operator('GET', '/operator/v1/clients/TOWN')).body;
      const settings = { queueIds: { WAITING_FOR_CUSTOMER_PICK: 'READY' } };
      expect((await empty.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings })).status).toBe(200);
      const { queues } = (await empty.client.get(PATH)).body;
      expect(queues).toContainEqual({ defaultId: 'WAITING_FOR_CUSTOMER_PICK', queueId: 'READY' });
    } finally {
      await empty.close();
    }
  });

  it('name only the stores and nodes of a credential that is narrowed to them', async () => {
    const canada = await town.credential({ storeIds: ['TOWN_CA'] });
    expect((await canada.get(PATH)).body.stores.map((one: { storeId: string }) => one.storeId)).toEqual(['TOWN_CA']);
    const elsewhere = await town.credential({ nodeIds: ['TOWN-Store002'] });
    expect((await elsewhere.get(PATH)).status).toBe(403);
    expect((await town.neighbour.get(PATH)).status).toBe(403);
    expect((await town.operator('GET', PATH)).status).toBe(200);
  });

  it('have boxes with a name once, known units, and a unit for a weight', async () => {
    const client = (await town.operator('GET', '/operator/v1/clients/TOWN')).body;
    const box = { name: 'Small', length: 30, width: 20, height: 10, sizeUnit: 'CM' };
    const put = (boxes: object[]) =>
      town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings: { boxes } });
    const { status, body } = await put([
      box,
      { ...box, name: 'SMALL' },
      { ...box, name: 'B', sizeUnit: 'PARSEC' },
      { ...box, name: 'C', weight: 1 },
    ]);
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer, rule }: { pointer: string; rule: string }) => [pointer, rule])).toEqual([
      ['/settings/boxes/1/name', 'uniqueItems'],
      ['/settings/boxes/2/sizeUnit', 'unit'],
      ['/settings/boxes/3/weightUnit', 'required'],
    ]);
    const messages = body.errors.map(({ message }: { message: string }) => message);
    expect(messages[0]).toContain('"SMALL" is in the list twice, also at /settings/boxes/0');
    expect(messages[1]).toContain("'sizeUnit' must be a unit of length");
    for (const wrong of [{ length: 0 }, { name: '' }, { name: 'x'.repeat(41) }, { height: 10_001 }]) {
      expect((await put([{ ...box, ...wrong }])).status).toBe(400);
    }
    const own = async (settings: object) => {
      const answer = await town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings });
      return answer.status === 200
        ? []
        : answer.body.errors.map(({ pointer, rule }: { pointer: string; rule: string }) => `${pointer} ${rule}`);
    };
    const inches = { ...box, sizeUnit: 'inches', weight: 1, weightUnit: 'oz', length: 30.1234 };
    expect(await own({ boxes: [inches] })).toEqual([]);
    expect(await own({ boxes: [inches], sizeUnits: ['IN'], weightUnits: ['OZ'] })).toEqual([]);
    expect(await own({ boxes: [{ ...inches, width: 1.00001 }], sizeUnits: ['CM'], weightUnits: ['KG'] })).toEqual([
      '/settings/boxes/0/sizeUnit enum',
      '/settings/boxes/0/weightUnit enum',
      '/settings/boxes/0/width fractionDigits',
    ]);
    expect((await put([{ ...box, height: 10_000, name: 'x'.repeat(40) }])).status).toBe(200);
  });
});

describe('the settings of a client with the defaults', () => {
  it('are every setting: own values, and the defaults of the others', async () => {
    const client = (await town.operator('GET', '/operator/v1/clients/TOWN')).body;
    await town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings: { slaMinutes: { PACK: 30 } } });
    const { status, body } = await town.operator('GET', '/operator/v1/clients/TOWN/settings');
    expect(status).toBe(200);
    expect(body).toEqual({ ...DEFAULT_SETTINGS, slaMinutes: { ...DEFAULT_SETTINGS.slaMinutes, PACK: 30 } });
    expect((await town.operator('GET', '/operator/v1/clients/NONE/settings')).status).toBe(404);
  });
});
