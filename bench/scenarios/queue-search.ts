/** Searches a queue for a page of 50 orders, with 1,000 and with 1,000,000 open orders. */
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems, NODE, STORE } from '../support/data.ts';
import { growOrders, ORDER_ITEMS, QUEUE, takeOrders } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { atMost, type BenchOptions, interleaved, type Scenario } from '../support/scenario.ts';

const PATH = `/stores/${STORE}/nodes/${NODE}/fulfillmentOrders?queueId=${QUEUE}`;
const BODY = JSON.stringify({ storeId: STORE, nodeId: NODE, queueId: QUEUE, pageSize: 50 });

export const queueSearch: Scenario = {
  name: 'queue-search',
  async run(options) {
    const small = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'orders-small');
    const sizes = options.quick ? [200, 2_000] : [1_000, 30_000, 1_000_000];
    const least = sizes[0]!;
    const service = await startBackroom(small.url);
    await takeOrders(service, small.credentials, 0, least);
    await service.stop();
    const large = copyOf(small, 'orders-large');
    let result = { value: 0, counterpart: 0, ratio: 0 };
    for (const size of sizes.slice(1)) {
      options.say(`  growing to ${size} orders`);
      growOrders(large.file, size);
      result = await compared(options, small, large);
      if (size === sizes[1])
        options.plot({ series: 'queue search, page of 50', size: least, cost: result.counterpart });
      options.plot({ series: 'queue search, page of 50', size, cost: result.value });
      options.say(`  ${Math.round(result.value)} us at ${size}, ${Math.round(result.counterpart)} us at ${least}`);
    }
    const note = `page of 50 by one caller at ${sizes.at(-1)} open orders, against the same at ${least}`;
    return [atMost(1.5, { name: 'queue search, page of 50', engine: 'sqlite', unit: 'us', note, ...result })];
  },
};

type Side = { url: string; credentials: Record<string, string> };

async function compared(options: BenchOptions, small: Side, large: Side) {
  const services = await Promise.all([startBackroom(large.url), startBackroom(small.url)]);
  const clients = await Promise.all(
    services.map(({ port }, side) => Client.open(port, [large, small][side]!.credentials)),
  );
  try {
    const pages = options.quick ? 10 : 200;
    const side = (client: Client, count: number) => async () => {
      const began = performance.now();
      for (let page = 0; page < count; page++) await client.send('POST', PATH, BODY);
      return ((performance.now() - began) * 1000) / count;
    };
    for (const client of clients) await side(client, pages * 3)();
    return await interleaved(options.quick ? 1 : 9, side(clients[0]!, pages), side(clients[1]!, pages));
  } finally {
    for (const client of clients) client.close();
    await Promise.all(services.map((service) => service.stop()));
  }
}
