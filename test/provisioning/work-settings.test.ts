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
    const { cancelReasons, verificationMethods, pin, weightUnits, sizeUnits, imageOrigins, printing } =
      DEFAULT_SETTINGS;
    expect([status, body]).toEqual([
      200,
      {
        name: 'Harbour Street',
        timeZone: 'America/New_York',
        holdLocations: ['A1', 'A2', 'B1', 'B2', 'C1'],
        receiveTo: 'SHELF',
        stores: [
          { storeId: 'TOWN_CA', name: expect.any(String) },
          { storeId: 'TOWN_US', name: expect.any(String) },
        ],
        queues: QUEUE_IDS.map((one) => ({ defaultId: one, queueId: one })),
        cancelReasons,
        verificationMethods,
        pin,
        weightUnits,
        sizeUnits,
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
      printing,
      imageOrigins: ['https://images.example.com'],
    };
    await town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings });
    expect((await town.client.get(PATH)).body).toMatchObject({
      verificationMethods: ['PIN'],
      pin: { required: true, attempts: 5, lockMinutes: 15 },
      weightUnits: ['KG'],
      sizeUnits: DEFAULT_SETTINGS.sizeUnits,
      printing,
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
});
