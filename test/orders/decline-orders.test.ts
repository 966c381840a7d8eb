import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, type Members, SFS } from '../picking/picking.ts';
import { type Flow, openFlow } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

let count = 0;
const PATH = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/decline';
const message = (fulfillmentOrderIds: unknown, more: Members = {}) => ({
  declineId: `d-${++count}`,
  userId: 'lea',
  reasonCode: 'CancelMXOutOfStock',
  fulfillmentOrderIds,
  ...more,
});
const decline = (fulfillmentOrderIds: unknown, more: Members = {}) =>
  town.client.post(PATH, message(fulfillmentOrderIds, more));

describe('orders that a node declines', () => {
  it('before the pick leave the node whole: parcels are offered to other nodes, the others are canceled', async () => {
    const ids = [
      await town.make('SHIP_TO_HOME'),
      await town.make('STORE_PICK_UP'),
      await town.make('ASSOCIATE_DELIVERY'),
    ];
    const answer = await decline(ids);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        declined: [
          { fulfillmentOrderId: ids[0], status: '9100', declinedQuantity: 5 },
          { fulfillmentOrderId: ids[1], status: '9000', declinedQuantity: 5 },
          { fulfillmentOrderId: ids[2], status: '9000', declinedQuantity: 5 },
        ],
        refused: [],
      },
    ]);
    expect(await town.requestsOf(ids[0]!)).toMatchObject([
      { status: 'OPEN', lines: [{ quantity: 3 }, { quantity: 2 }] },
    ]);
    for (const id of ids) {
      await town.conserved(id);
      expect((await town.events('order', id)).at(-1)).toMatchObject({
        type: 'order.declined',
        data: { modifyAssociateId: 'lea', declinedQuantity: 5 },
      });
    }
  });

  it('get an outcome each: one that cannot be declined does not stop the others', async () => {
    const good = await town.make('STORE_PICK_UP');
    const onTicket = await town.make('SHIP_TO_HOME');
    const ticket = await town.ticket([onTicket], SFS);
    const ready = await town.picked('STORE_PICK_UP');
    const arriving = await town.make('SHIP_TO_STORE');
    const answer = await decline([onTicket, good, ready, arriving, 'none']);
    expect(answer.body).toMatchObject({
      declined: [{ fulfillmentOrderId: good }],
      refused: [
        { fulfillmentOrderId: onTicket, code: 'CONFLICT', description: expect.stringContaining(ticket.pickTicketId) },
        { fulfillmentOrderId: ready, code: 'CONFLICT' },
        { fulfillmentOrderId: arriving, code: 'CONFLICT' },
        { fulfillmentOrderId: 'none', code: 'NOT_FOUND' },
      ],
    });
    expect((await town.row(onTicket)).status).toBe(1150);
  });

  it('keep units canceled before by the customer as canceled', async () => {
    const id = await town.make('SHIP_TO_HOME');
    await town.cancel(id, { lines: [{ webLineId: '1', quantity: 1 }] });
    expect((await decline([id])).body).toMatchObject({ declined: [{ declinedQuantity: 4 }] });
    expect(await town.units(id)).toEqual([
      [0, 0, 0, 1, 2, 0],
      [0, 0, 0, 0, 2, 0],
    ]);
    await town.conserved(id);
  });

  it('under a used id get the first response without a second effect; other content is rejected', async () => {
    const [one, two] = [await town.make('STORE_PICK_UP'), await town.make('STORE_PICK_UP')];
    const sent = message([one]);
    const first = await town.client.post(PATH, sent);
    const row = await town.row(one);
    const again = await town.client.post(PATH, sent);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await town.row(one)).toEqual(row);
    expect((await town.client.post(PATH, { ...sent, fulfillmentOrderIds: [two] })).status).toBe(409);
    expect((await town.row(two)).status).toBe(1100);
  });

  it('concurrent with generate are either picked or declined', async () => {
    const ids = [await town.make('STORE_PICK_UP'), await town.make('STORE_PICK_UP'), await town.make('STORE_PICK_UP')];
    const [declined, generated] = await Promise.all([decline(ids), town.generate(ids)]);
    const wereDeclined = (declined.body['declined'] as Members[]).length;
    expect([wereDeclined, generated.status]).toEqual(wereDeclined === 3 ? [3, expect.any(Number)] : [0, 201]);
    for (const id of ids) expect((await town.row(id)).status).toBe(wereDeclined === 3 ? 9000 : 1150);
  });

  it('are at most 200, each once, for a known reason; the response lists every error', async () => {
    const many = Array.from({ length: 201 }, (_, index) => `N${index}`);
    expect(faultsOf(await decline(many))).toEqual(['/fulfillmentOrderIds maxItems']);
    expect((await decline(many.slice(1))).status).toBe(200);
    const wrong = await decline(['A', 'A'], { reasonCode: 'Whim', userId: '' });
    expect([wrong.status, faultsOf(wrong)]).toEqual([
      400,
      ['/fulfillmentOrderIds/1 duplicate', '/reasonCode reason', '/userId minLength'],
    ]);
  });

  it('of another node, or of a store outside the credential, look like missing ones', async () => {
    const id = await town.make('STORE_PICK_UP');
    const narrowed = await town.credential({ storeIds: ['TOWN_CA'], groups: ['supervise'] });
    const answer = await narrowed.post(PATH, message([id]));
    expect([answer.status, answer.body['refused']]).toMatchObject([200, [{ code: 'NOT_FOUND' }]]);
    const elsewhere = await town.client.post(PATH.replace('TOWN-Store001', 'TOWN-Store002'), message([id]));
    expect(elsewhere.body['refused']).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await town.row(id)).status).toBe(1100);
  });
});
