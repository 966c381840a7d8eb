import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { eventsOf, faultsOf } from './support.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const PATH = `${NODE}/items`;
const [MUG, SOAP, LAMP] = ['21-MUG-WHT', '21-SOAP-LAV', '21-LAMP-BRS'] as const;

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const put = (items: object[], by: Pick<OpenTown['client'], 'put'> = town.client) => by.put(PATH, { items });
const read = async (itemId: string) => (await town.operator('GET', `${PATH}/${itemId}`)).body;

describe('PUT of many node items', () => {
  it('sets each item as PUT of one does, and leaves the others as they are', async () => {
    await town.operator('PUT', `${PATH}/${LAMP}`, { retailPrice: 40, pickLocation: 'L-1', onHand: 2 });
    const first = await put([
      { itemId: MUG, retailPrice: 9.5, pickLocation: 'A-1', onHand: 7 },
      { itemId: SOAP, onHand: 3 },
    ]);
    expect(first.status, first.text).toBe(200);
    const { created, changed, unchanged } = first.body as { created: number; changed: number; unchanged: number };
    expect(created + changed + unchanged).toBe(2);
    expect(await read(MUG)).toMatchObject({ retailPrice: 9.5, pickLocation: 'A-1', onHand: 7 });
    expect(await read(LAMP)).toMatchObject({ pickLocation: 'L-1' });
    const before = (await eventsOf(town, 'nodeItem', `TOWN-Store001/${MUG}`)).length;
    const again = await put([
      { itemId: MUG, retailPrice: 9.5, pickLocation: 'A-1', onHand: 7 },
      { itemId: SOAP, onHand: 4 },
    ]);
    expect(again.body).toEqual({ created: 0, changed: 1, unchanged: 1 });
    expect(await eventsOf(town, 'nodeItem', `TOWN-Store001/${MUG}`)).toHaveLength(before);
    expect((await eventsOf(town, 'nodeItem', `TOWN-Store001/${SOAP}`)).at(-1)).toMatchObject({
      type: 'nodeItem.changed',
      data: { onHand: { from: 3, to: 4 } },
    });
  });

  it('is rejected as a whole, with the place of every wrong item', async () => {
    const answer = await put([
      { itemId: MUG, onHand: 99 },
      { itemId: '21-NONE', onHand: 1 },
      { itemId: MUG, onHand: 98 },
      { itemId: SOAP, onHand: -1 },
    ]);
    expect(answer.status).toBe(400);
    expect(faultsOf(answer).map((one) => one.split(' ')[0])).toEqual([
      '/items/3/onHand',
      '/items/1/itemId',
      '/items/2/itemId',
    ]);
    expect(await read(MUG)).toMatchObject({ onHand: 7 });
    expect((await put([])).status).toBe(400);
    expect((await put(Array.from({ length: 501 }, () => ({ itemId: MUG })))).status).toBe(400);
  });

  it('needs a key of group stock for the node', async () => {
    const stock = await town.credential({ nodeIds: ['TOWN-Store001'], groups: ['stock'] });
    expect((await put([{ itemId: MUG, onHand: 8 }], stock)).status).toBe(200);
    for (const narrowing of [{ nodeIds: ['TOWN-DC001'], groups: ['stock'] }, { groups: ['fulfillment'] }]) {
      const answer = await put([{ itemId: MUG, onHand: 9 }], await town.credential(narrowing));
      expect(answer.body).toMatchObject({ code: 'ACCESS_DENIED' });
    }
  });
});

describePostgresOnly('PUT of many node items beside a delete of one of them', () => {
  it('is rejected with the place of the deleted item', async () => {
    await put([LAMP, SOAP].map((itemId) => ({ itemId, onHand: 1 })));
    const { waiting } = await town.store.write(async (tx) => {
      await tx.selectFrom('node_items').select('item_id').where('item_id', '=', LAMP).forUpdate().execute();
      const late = put([LAMP, SOAP].map((itemId) => ({ itemId, onHand: 2 })));
      await untilBlocked(town.store);
      await town.store.write((other) => other.deleteFrom('items').where('item_id', '=', SOAP).execute());
      return { waiting: late };
    });
    const answer = await waiting;
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['/items/1/itemId exists']]);
    expect(await read(LAMP)).toMatchObject({ onHand: 1 });
  });
});
