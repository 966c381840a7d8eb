/** Sixteen associates concurrently generate and confirm tickets, each for separate orders. */
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems } from '../support/data.ts';
import { ORDER_ITEMS, takeOrders } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { interleaved, median, type Scenario, shown } from '../support/scenario.ts';
import { generateAndConfirm } from '../support/tickets.ts';

const ASSOCIATES = 16;
const TICKET_ORDERS = 10;

export const associates: Scenario = {
  name: 'associates',
  async run(options) {
    const rounds = options.quick ? 1 : 5;
    const tickets = options.quick ? 1 : 20;
    const large = options.quick ? 1 : 5;
    const { url, credentials } = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'associates');
    const service = await startBackroom(url);
    const ids = await takeOrders(
      service,
      credentials,
      0,
      ASSOCIATES * ((rounds * 2 + 1) * tickets + (rounds + 1) * large * TICKET_ORDERS),
    );
    const clients = await Promise.all(Array.from({ length: ASSOCIATES }, () => Client.open(service.port, credentials)));
    try {
      const run = (working: number, count = ASSOCIATES * tickets, size = 1) => {
        return async () => {
          const began = performance.now();
          const mine = Array.from({ length: count }, () => ids.splice(0, size));
          await Promise.all(
            clients.slice(0, working).map(async (client, associate) => {
              for (let n = associate; n < count; n += working) {
                await generateAndConfirm(client, mine[n]!, `Associate${associate}`);
              }
            }),
          );
          return (count * size) / ((performance.now() - began) / 1000);
        };
      };
      await run(ASSOCIATES)();
      const one = await interleaved(rounds, run(ASSOCIATES), run(1));
      const ten = run(ASSOCIATES, ASSOCIATES * large, TICKET_ORDERS);
      await ten();
      const paces: number[] = [];
      for (let round = 0; round < rounds; round++) paces.push(await ten());
      const engine = 'sqlite';
      const unit = 'orders/s';
      const what = 'generated and confirmed by 16 callers at once';
      return [
        shown({
          name: '16 associates',
          engine,
          unit,
          note: `tickets of one order, ${what}; against one caller`,
          ...one,
        }),
        shown({
          name: '16 associates, tickets of 10 orders',
          engine,
          unit,
          note: `orders of tickets, ${what}`,
          value: median(paces),
        }),
      ];
    } finally {
      for (const client of clients) client.close();
      await service.stop();
    }
  },
};
