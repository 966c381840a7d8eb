import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { found, openPicking, type Picking, SFS } from '../picking/picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking({ neighbours: true });
});
afterAll(() => town.close());

const history = (orderId: string, query = '') =>
  town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}/history${query}`);
const types = (body: { events: { type: string }[] }) => body.events.map(({ type }) => type);

describe('the history of an order', () => {
  it('has each action with its actor in the order of time, from intake to the confirmed ticket', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 3]] });
    expect(types((await history(id)).body)).toEqual(['order.received']);
    await town.ticket([id]);
    const { status, body } = await history(id);
    expect(status).toBe(200);
    expect(types(body)).toEqual(['order.received', 'order.pickStarted']);
    expect(body.events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2]);
    expect(body.events[1].data).toMatchObject({ userId: 'picker', status: '1150' });
  });

  it('is paged: each page continues after the last sequence', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.ticket([id]);
    const first = await history(id, '?limit=1');
    expect(first.body).toMatchObject({ events: [{ type: 'order.received' }], next: 1 });
    const second = await history(id, `?limit=1&after=${first.body.next}`);
    expect(types(second.body)).toEqual(['order.pickStarted']);
    expect(second.body).not.toHaveProperty('next');
  });

  it('is the same before and after a read of the feed', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.ticket([id]);
    const before = await history(id);
    await town.client.get('/operator/v1/events?limit=1');
    expect((await history(id)).body).toEqual(before.body);
    expect((await history(id, '?after=1')).body.events).toEqual(before.body.events.slice(1));
  });

  it('has the events of the re-source requests of the order on its first page', async () => {
    const id = await town.order({ type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 2]] });
    expect((await history(id)).body.requestEvents).toEqual([]);
    const ticket = await town.ticket([id], SFS);
    const [item] = ticket.pickTicketItems;
    expect((await town.confirm(ticket, [found(item!, 1)])).status).toBe(204);
    const requests = '/operator/v1/stores/TOWN_US/resourceRequests';
    const [request] = (await town.client.get(`${requests}?fulfillmentOrderId=${id}`)).body.resourceRequests;
    const to = { nodeId: 'TOWN-DC001', fulfillmentOrderId: `${id}-dc` };
    await town.client.post(`${requests}/${request.requestId}/answer`, { outcome: 'RESOURCE', ...to });
    const { body } = await history(id);
    expect(body.requestEvents).toMatchObject([
      { type: 'resource.requested', data: { fulfillmentOrderId: id } },
      { type: 'resource.answered', data: { outcome: 'RESOURCE', by: 'OWNER', newFulfillmentOrderId: `${id}-dc` } },
    ]);
    expect(body.names.map(({ actor }: { actor: string }) => actor)).toContain(body.requestEvents[1].actor);
    expect((await history(id, '?after=0')).body.requestEvents).toEqual(body.requestEvents);
    expect((await history(id, '?after=1')).body.requestEvents).toEqual([]);
  });

  it('has no personal data: no customer, no address, no PIN', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    const { text } = await history(id);
    expect(text).not.toMatch(/Pat|Kim|@|pin/i);
  });

  it('has the names of the users and credentials that it mentions', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}/change`, {
      changeId: `note-${id}`,
      userId: 'ana',
      note: 'Call before noon',
    });
    const { body } = await history(id);
    const [{ actor }] = body.events;
    expect(body.names).toEqual(
      expect.arrayContaining([
        { actor, name: 'Integration' },
        { actor: 'user:ana', name: 'Ana Ruiz' },
      ]),
    );
  });

  it('is not readable for an order of another store, client or node', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    expect((await town.client.get(`/operator/v1/stores/TOWN_CA/fulfillmentOrders/${id}/history`)).status).toBe(404);
    expect((await town.neighbour.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}/history`)).status).toBe(403);
    const narrowed = await town.credential({ nodeIds: ['TOWN-Store002'] });
    expect((await narrowed.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}/history`)).status).toBe(404);
  });

  it('takes a limit of 1 to 500', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    for (const limit of ['0', '501', 'x']) {
      const { status, body } = await history(id, `?limit=${limit}`);
      expect([status, body.errors[0].pointer]).toEqual([400, 'query:limit']);
    }
    expect((await history(id, '?limit=500')).status).toBe(200);
  });
});
