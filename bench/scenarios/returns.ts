/**
 * Receives a return of 1,000 lines over HTTP; the counterpart runs the same statements in one transaction. Also reads a
 * page of 50 returns, with 1,000 and with 100,000 returns.
 */
import { Client } from '../support/client.ts';
import { CLIENT, changeNode, copyOf, filledWithItems, NODE, STORE } from '../support/data.ts';
import { serveHere } from '../support/in-process.ts';
import { itemKey } from '../support/keys.ts';
import { ORDER_ITEMS, orderBody } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { Replayer, recorded } from '../support/recorder.ts';
import { growReturns } from '../support/returns.ts';
import {
  atLeast,
  atMost,
  type BenchOptions,
  interleaved,
  type Result,
  roundsOf,
  type Scenario,
} from '../support/scenario.ts';
import { generateAndConfirm } from '../support/tickets.ts';

const RETURNS = `/operator/v1/stores/${STORE}/returns`;
const ORDERS = `/operator/v1/stores/${STORE}/fulfillmentOrders`;
const HAND_OVER = `/stores/${STORE}/nodes/${NODE}/customerPickUp/confirm`;
const PAGE = JSON.stringify({});

export const returns: Scenario = {
  name: 'returns',
  run: async (options) => [await receipts(options), await pages(options)],
};

/** Takes in an order, picks it, hands it over and requests the return of all units. Returns the id of the return. */
async function requested(client: Client, n: number, lines: number): Promise<string> {
  const [first] = orderBody(n)['lines'] as object[];
  const wanted = Array.from({ length: lines }, (_, line) => ({
    ...first,
    webLineId: String(line + 1),
    itemId: itemKey(line % ORDER_ITEMS),
    quantity: 1,
  }));
  const order: Record<string, unknown> = { ...orderBody(n), lines: wanted };
  const id = String(order['fulfillmentOrderId']);
  await client.send('POST', ORDERS, [order]);
  await generateAndConfirm(client, [id]);
  const customerPickUpItems = wanted.map(({ webLineId, itemId }) => ({
    webLineId,
    itemId,
    customerPickedQuantity: 1,
    backroomPickedQuantity: 1,
  }));
  const customerPickUpDetails = { storeId: STORE, nodeId: NODE, fulfillmentOrderId: id, customerPickUpItems };
  await client.send('PUT', HAND_OVER, { modifyAssociateId: 'Ada', customerPickUpDetails });
  const sent = wanted.map(({ webLineId }) => ({ fulfillmentOrderId: id, webLineId, quantity: 1 }));
  const made = await client.send<{ returnId: string }>('POST', RETURNS, { number: `R${n}`, lines: sent });
  return made.returnId;
}

async function receipts(options: BenchOptions): Promise<Result> {
  const lines = options.quick ? 20 : 1_000;
  const rounds = roundsOf(options.quick ? 1 : 5);
  const perRound = options.quick ? 2 : 4;
  const warmUp = options.quick ? 1 : 8;
  const count = warmUp + rounds * perRound;
  const base = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'returns-ours');
  const filling = await startBackroom(base.url);
  await changeNode(filling, NODE, { stock: 'KEPT' });
  const announcing = await Client.open(filling.port, base.credentials);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await requested(announcing, n, lines));
  announcing.close();
  await filling.stop();
  const byHand = copyOf(base, 'returns-by-hand');
  const transactions = await record(copyOf(base, 'returns-recorded'), ids, lines);
  const statements = transactions[0]!.reduce((sum, transaction) => sum + transaction.length, 0);

  const service = await startBackroom(base.url);
  const client = await Client.open(service.port, base.credentials);
  const replayer = new Replayer(byHand.file);
  try {
    let ours = 0;
    const oursFor = async (times: number) => {
      const began = performance.now();
      for (let n = 0; n < times; n++) await receive(client, ids[ours++]!, lines);
      return times / ((performance.now() - began) / 1000);
    };
    let bare = 0;
    let bareCpu = 0;
    const bareFor = async (times: number) => {
      const began = performance.now();
      const cpu = process.cpuUsage();
      for (let n = 0; n < times; n++) for (const transaction of transactions[bare++]!) replayer.run(transaction);
      const { user, system } = process.cpuUsage(cpu);
      bareCpu += user + system;
      return times / ((performance.now() - began) / 1000);
    };
    await oursFor(warmUp);
    await bareFor(warmUp);
    const cpu = service.cpu();
    bareCpu = 0;
    const result = await interleaved(
      rounds,
      () => oursFor(perRound),
      () => bareFor(perRound),
    );
    const ratios = result.ratios.map((ratio) => ratio.toFixed(2)).join(' ');
    options.say(`  ${result.value.toFixed(1)} against ${result.counterpart.toFixed(1)} receipts/s, ratios ${ratios}`);
    // CPU time of the service process only, without the client's cost of sending and reading.
    const cpuOf = [(service.cpu() - cpu) * 1e3, bareCpu / 1e3].map((ms) => (ms / (rounds * perRound)).toFixed(1));
    const note = `one caller, a receipt of all ${lines} lines of a return, stock kept, ${cpuOf[0]} ms of CPU against ${cpuOf[1]}; against its ${statements} statements by hand in one transaction, synchronous=FULL`;
    const name = 'receipt of a return of 1,000 lines';
    return atLeast(0.5, { name, engine: 'sqlite', unit: 'receipts/s', note, ...result });
  } finally {
    client.close();
    replayer.close();
    await service.stop();
  }
}

async function receive(client: Client, returnId: string, lines: number): Promise<void> {
  await client.send('POST', `/operator/v1/clients/${CLIENT}/nodes/${NODE}/returns/${returnId}/receipts`, {
    receiptId: 'all',
    userId: 'Ada',
    lines: Array.from({ length: lines }, (_, line) => ({ position: line + 1, quantity: 1, condition: 'GOOD' })),
  });
}

/** Records the transactions of each receipt. */
async function record(
  copy: { url: string; credentials: Record<string, string> },
  ids: readonly string[],
  lines: number,
) {
  const here = await serveHere(copy.url);
  const client = await Client.open(here.port, copy.credentials);
  try {
    const all = [];
    for (const id of ids) all.push(await recorded(() => receive(client, id, lines)));
    return all;
  } finally {
    client.close();
    await here.stop();
  }
}

async function pages(options: BenchOptions): Promise<Result> {
  const [least, most] = options.quick ? [100, 1_000] : [1_000, 100_000];
  const small = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'returns-small');
  const service = await startBackroom(small.url);
  const client = await Client.open(service.port, small.credentials);
  for (let n = 0; n < 50; n++) await requested(client, n, 2);
  client.close();
  await service.stop();
  const large = copyOf(small, 'returns-large');
  growReturns(small.file, least);
  growReturns(large.file, most);
  const result = await compared(options, small, large);
  options.say(`  ${Math.round(result.value)} us at ${most}, ${Math.round(result.counterpart)} us at ${least}`);
  const note = `page of 50 by one caller, the first and one in the middle, at ${most} returns, against the same at ${least}`;
  return atMost(1.5, { name: 'search of returns, page of 50', engine: 'sqlite', unit: 'us', note, ...result });
}

type Side = { url: string; credentials: Record<string, string> };

async function compared(options: BenchOptions, small: Side, large: Side) {
  const sides = [large, small];
  const services = await Promise.all(sides.map(({ url }) => startBackroom(url)));
  const clients = await Promise.all(services.map(({ port }, side) => Client.open(port, sides[side]!.credentials)));
  try {
    const middles = await Promise.all(clients.map(middleOf));
    const count = options.quick ? 5 : 100;
    const side = (index: number, times: number) => async () => {
      const began = performance.now();
      for (let page = 0; page < times; page++) {
        await clients[index]!.send('POST', `${RETURNS}/search?limit=50`, PAGE);
        await clients[index]!.send('POST', `${RETURNS}/search?limit=50&after=${middles[index]}`, PAGE);
      }
      return ((performance.now() - began) * 1000) / (times * 2);
    };
    for (const index of [0, 1]) await side(index, count * 2)();
    return await interleaved(options.quick ? 1 : 9, side(0, count), side(1, count));
  } finally {
    for (const client of clients) client.close();
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** Returns the position of the second page. */
async function middleOf(client: Client): Promise<string> {
  const page = await client.send<{ next: string }>('POST', `${RETURNS}/search?limit=50`, PAGE);
  return page.next;
}
