/** Sends CONFIRM of a ticket of 10 orders at a node that keeps stock, and at a node that does not. */
import { Client } from '../support/client.ts';
import { CLIENT, changeNode, copyOf, filledWithItems, NODE } from '../support/data.ts';
import { ORDER_ITEMS, takeOrders } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { atMost, interleaved, type Scenario } from '../support/scenario.ts';
import { confirm, generate } from '../support/tickets.ts';

const ORDERS = 10;

export const stock: Scenario = {
  name: 'stock',
  async run(options) {
    // The two sides alternate every few tickets, so that other load of the machine affects both sides.
    const rounds = options.quick ? 3 : 80;
    const perRound = options.quick ? 1 : 5;
    const warmUp = options.quick ? 2 : 400;
    const tickets = warmUp + rounds * perRound;
    const without = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'stock-without');
    const filling = await startBackroom(without.url);
    const ids = await takeOrders(filling, without.credentials, 0, tickets * ORDERS);
    await filling.stop();
    const kept = copyOf(without, 'stock-kept');
    const services = await Promise.all([startBackroom(kept.url), startBackroom(without.url)]);
    const clients = await Promise.all(services.map(({ port }) => Client.open(port, without.credentials)));
    try {
      await changeNode(services[0], NODE, { stock: 'KEPT' });
      await openShelves(clients[0]!);
      const made = [0, 0];
      /** Returns a function that measures the microseconds of a CONFIRM, without the requests before it. */
      const side = (at: number, count: number) => async () => {
        let spent = 0;
        for (let n = 0; n < count; n++) {
          const first = made[at]!++ * ORDERS;
          const ticket = await generate(clients[at]!, ids.slice(first, first + ORDERS));
          const began = performance.now();
          await confirm(clients[at]!, ticket);
          spent += performance.now() - began;
        }
        return (spent * 1000) / count;
      };
      for (const at of [0, 1]) await side(at, warmUp)();
      const cpu = services.map((service) => service.cpu());
      const result = await interleaved(rounds, side(0, perRound), side(1, perRound));
      const sorted = result.ratios.toSorted((a, b) => a - b);
      const [low, high] = [0.25, 0.75].map((part) => sorted[Math.floor(part * sorted.length)]!.toFixed(2));
      options.say(
        `  ${Math.round(result.value)} us against ${Math.round(result.counterpart)}, half of the ratios ${low} to ${high}`,
      );
      const cpuOf = services.map((service, at) => (1000 * (service.cpu() - cpu[at]!)) / (rounds * perRound));
      const note = `one caller, orders of two lines over 200 items; against the same at a node that keeps no stock; generate and CONFIRM take ${cpuOf.map((ms) => ms.toFixed(1)).join(' against ')} ms of CPU`;
      return [
        atMost(1.25, { name: 'CONFIRM of 10 orders, stock kept', engine: 'sqlite', unit: 'us', note, ...result }),
      ];
    } finally {
      for (const client of clients) client.close();
      await Promise.all(services.map((service) => service.stop()));
    }
  },
};

/** Counts each item for the first time, so that there is enough stock. */
async function openShelves(client: Client): Promise<void> {
  const node = `/operator/v1/clients/${CLIENT}/nodes/${NODE}`;
  const { stock: levels } = await client.send<{ stock: { itemId: string; revision: number }[] }>(
    'GET',
    `${node}/stock?pageSize=500`,
  );
  const lines = levels.map(({ itemId, revision }) => ({ itemId, revision, counted: 1_000_000 }));
  await client.send('POST', `${node}/counts`, { countId: 'opening', userId: 'Ada', lines });
}
