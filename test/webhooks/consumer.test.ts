import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';
import { ALLOWED, deliverer, isSigned, openReceiver, type Receiver, WEBHOOKS } from './support.ts';

interface Event {
  position: number;
  eventId: string;
  type: string;
  resourceType: string;
  resourceId: string;
  sequence: number;
  data: Record<string, unknown>;
}

let town: OpenTown;
let receiver: Receiver;
beforeEach(async () => {
  town = await openTown({ env: ALLOWED });
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  await town.close();
});

/**
 * The data that a retailer's system stores: the last event of each resource, the number of that event, and the state of
 * each order.
 */
class State {
  readonly things = new Map<string, { sequence: number; type: string; data: string }>();
  readonly orders = new Map<string, number>();

  apply(event: Event): void {
    const key = `${event.resourceType} ${event.resourceId}`;
    expect([key, event.sequence]).toEqual([key, (this.things.get(key)?.sequence ?? 0) + 1]);
    this.things.set(key, { sequence: event.sequence, type: event.type, data: JSON.stringify(event.data) });
    if (event.resourceType !== 'order') return;
    if ('status' in event.data) this.orders.set(event.resourceId, Number(event.data['status']));
  }
}

/**
 * A consumer that follows the documentation: it stores events by position, applies them without a gap, and fetches
 * missing events from the feed. The receiver of the test verifies the signatures.
 */
class Consumer {
  readonly state = new State();
  readonly kept = new Map<number, Event>();
  applied = 0;
  fetched = 0;

  take(event: Event): void {
    if (event.position > this.applied) this.kept.set(event.position, event);
    this.applyKept();
  }

  applyKept(): void {
    for (let next = this.kept.get(this.applied + 1); next !== undefined; next = this.kept.get(this.applied + 1)) {
      this.kept.delete(next.position);
      this.state.apply(next);
      this.applied = next.position;
    }
  }

  async catchUp(): Promise<void> {
    for (;;) {
      const { body } = await town.client.get(`/operator/v1/events?after=${this.applied}&limit=50`);
      for (const event of body.events as Event[]) {
        if (!this.kept.has(event.position)) this.fetched += 1;
        this.take(event);
      }
      if (this.applied === body.head) return;
    }
  }
}

/** Returns a function that returns true in one of ten calls on average, in the same sequence in each run. */
function oneInTen(): () => boolean {
  let seed = 12_345;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31 < 0.1;
  };
}

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', userId: 'ana', modifyAssociateId: 'ana' };

/** Makes changes: puts items, generates a ticket and resets it. */
async function work(round: number): Promise<void> {
  const item = { catalogId: '21', clientId: 'TOWN', salesClass: 'stock', styleId: '', taxCode: '', type: 'MERCH' };
  for (let sku = 0; sku < 5; sku += 1) {
    const id = { clientItemId: `C${sku}`, itemId: `21-C${sku}`, productTitle: `${round}` };
    const answer = await town.client.put(`/item-service/clients/TOWN/items/21-C${sku}`, { ...item, ...id });
    expect(answer.status).toBeLessThan(300);
  }
  const queueId = 'WAITING_FOR_PICK_ISPU';
  const made = await town.client.post(`${NODE}/pickTicket/generate`, {
    ...where,
    queueId,
    fulfillmentOrderIds: [town.orders.waiting],
  });
  expect(made.status, made.text).toBe(201);
  const { pickTicketId } = made.body.pickTicketDetails[0];
  const { modifyAssociateId, ...ticket } = where;
  const pickTicketDetails = { ...ticket, pickTicketId, action: 'RESET' };
  expect((await town.client.put(`${NODE}/pickTicket/update`, { modifyAssociateId, pickTicketDetails })).status).toBe(
    204,
  );
}

it('a consumer that loses a tenth of the deliveries has the same state as the feed, whatever was lost, doubled or late', async () => {
  const consumer = new Consumer();
  const isLost = oneInTen();
  const { body } = await town.client.put(`${WEBHOOKS}/all`, { url: receiver.url });
  let lost = 0;
  receiver.answer = (received) => {
    expect(isSigned(received, body.secret, town.clock.now)).toBe(true);
    const [isEventLost, isAnswerLost] = [isLost(), isLost()];
    // The receiver acknowledged the event and lost it. The service does not send it again.
    if (isEventLost) lost += 1;
    else consumer.take(JSON.parse(received.body) as Event);
    // The receiver has the event, but its response was lost. The service sends the event again.
    return !isEventLost && isAnswerLost ? { status: 0, cut: true } : { status: 200 };
  };
  const deliver = deliverer(town);
  await consumer.catchUp();
  const before = consumer.fetched;
  for (let round = 0; round < 12; round += 1) {
    await work(round);
    await deliver();
    town.clock.now += 60_000;
    if (round % 4 === 3) await consumer.catchUp();
  }
  town.clock.now += 3_600_000;
  await deliver();
  await consumer.catchUp();
  expect(lost).toBeGreaterThan(5);
  expect(consumer.fetched - before).toBeGreaterThan(0);
  expect(receiver.received.length).toBeGreaterThan(
    new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size,
  );
  const byTheFeed = new State();
  for (let after = 0; ; ) {
    const page = (await town.client.get(`/operator/v1/events?after=${after}&limit=500`)).body;
    for (const event of page.events as Event[]) byTheFeed.apply(event);
    after = page.nextAfter;
    if (after === page.head) break;
  }
  expect([...consumer.state.things].sort()).toEqual([...byTheFeed.things].sort());
  expect([...consumer.state.orders].sort()).toEqual([...byTheFeed.orders].sort());
  // The service itself has the same state.
  const orders = await town.store.read((db) =>
    db
      .selectFrom('fulfillment_orders')
      .select(['fulfillment_order_id', 'status'])
      .where('client_id', '=', 'TOWN')
      .execute(),
  );
  const stored = orders.map((row): [string, number] => [row.fulfillment_order_id, row.status]);
  expect([...consumer.state.orders].sort()).toEqual(stored.sort());
});
