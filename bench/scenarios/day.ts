/**
 * A trading day of one store. Orders arrive one by one; tickets are generated, then confirmed (some short) or reset;
 * parcels get pack slips. The service is called over HTTP; the counterpart runs the same statements without the
 * service.
 */
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems, STORE } from '../support/data.ts';
import { serveHere } from '../support/in-process.ts';
import { ORDER_ITEMS, orderBody, QUEUE } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { Replayer, recorded } from '../support/recorder.ts';
import { interleaved, type Scenario, shown } from '../support/scenario.ts';
import { confirm, generate, reset } from '../support/tickets.ts';

/**
 * Number of orders of one store on one day. A retailer with 5,000 stores and 5 million orders a day has this number of
 * orders per store.
 */
const DAY_ORDERS = 1_000;
const TICKET_ORDERS = 10;
const SHORT_EVERY = 10;
const RESET_EVERY = 15;
const HOME_QUEUE = 'WAITING_FOR_PICK_SFS';

export const day: Scenario = {
  name: 'day',
  async run(options) {
    const rounds = options.quick ? 1 : 5;
    const orders = options.quick ? 40 : DAY_ORDERS;
    const days = rounds + 1;
    const base = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'day-ours');
    const byHand = copyOf(base, 'day-by-hand');
    const requests = requestsOf(orders);
    const transactions = await record(copyOf(base, 'day-recorded'), days, orders);

    const service = await startBackroom(base.url);
    const client = await Client.open(service.port, base.credentials);
    const replayer = new Replayer(byHand.file);
    try {
      let ours = 0;
      const oursFor = () => pace(requests, () => tradingDay(client, ours++, orders));
      let bare = 0;
      const bareFor = () =>
        pace(requests, async () => {
          for (const transaction of transactions[bare++]!) replayer.run(transaction);
        });
      await oursFor();
      await bareFor();
      const result = await interleaved(rounds, oursFor, bareFor);
      options.say(`  ${Math.round(result.value)} against ${Math.round(result.counterpart)} requests/s`);
      const note = `${orders} orders, half for pickup and half by parcel: ${requests} requests by one caller, each a commit; against their statements by hand, synchronous=FULL`;
      return [shown({ name: 'a trading day', engine: 'sqlite', unit: 'requests/s', note, ...result })];
    } finally {
      client.close();
      replayer.close();
      await service.stop();
    }
  },
};

async function pace(requests: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return requests / ((performance.now() - began) / 1000);
}

/**
 * Returns the number of requests: the intakes, generate and CONFIRM of each ticket, RESET and a second generate of some
 * tickets, and the pack slips.
 */
function requestsOf(orders: number): number {
  const tickets = orders / TICKET_ORDERS;
  return orders + tickets * 2 + Math.floor(tickets / RESET_EVERY) * 2 + orders / 2;
}

/** Runs the day with this number. Each day has other orders. */
async function tradingDay(client: Client, number: number, orders: number): Promise<void> {
  const waiting: Record<string, string[]> = { [QUEUE]: [], [HOME_QUEUE]: [] };
  let tickets = 0;
  for (let n = 0; n < orders; n++) {
    const queue = n % 2 === 0 ? QUEUE : HOME_QUEUE;
    const order = arrival(number * orders + n, queue);
    await client.send('POST', `/operator/v1/stores/${STORE}/fulfillmentOrders`, order);
    const ids = waiting[queue]!;
    ids.push(String(order['fulfillmentOrderId']));
    if (ids.length === TICKET_ORDERS) await work(client, queue, ids.splice(0), ++tickets);
  }
}

async function work(client: Client, queue: string, ids: readonly string[], number: number): Promise<void> {
  let ticket = await generate(client, ids, 'Ada', queue);
  if (number % RESET_EVERY === 0) {
    await reset(client, ticket);
    ticket = await generate(client, ids, 'Ada', queue);
  }
  await confirm(client, ticket, 'Ada', number % SHORT_EVERY === 0);
  if (queue !== HOME_QUEUE) return;
  for (const fulfillmentOrderId of ids) {
    await client.send('POST', `/stores/${STORE}/fulfillmentOrders/${fulfillmentOrderId}/packslip/generate`, {
      storeId: STORE,
      nodeId: orderBody(0)['nodeId'],
      modifyAssociateId: 'Ada',
      fulfillmentOrderId,
    });
  }
}

function arrival(n: number, queue: string): Record<string, unknown> {
  const order = orderBody(n);
  return queue === QUEUE
    ? order
    : { ...order, fulfillmentType: 'SHIP_TO_HOME', carrier: 'UPS', service: 'GROUND', shipMethod: 'UPS_GROUND' };
}

async function record(copy: { url: string; credentials: Record<string, string> }, days: number, orders: number) {
  const here = await serveHere(copy.url);
  const client = await Client.open(here.port, copy.credentials);
  try {
    const all = [];
    for (let number = 0; number < days; number++) {
      all.push(await recorded(() => tradingDay(client, number, orders)));
    }
    return all;
  } finally {
    client.close();
    await here.stop();
  }
}
