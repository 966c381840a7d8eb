/** Sixteen associates generate and confirm tickets of their own orders at once. */
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems } from '../support/data.ts';
import { ORDER_ITEMS, takeOrders } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { interleaved, type Scenario, shown } from '../support/scenario.ts';
import { generateAndConfirm } from '../support/tickets.ts';

const ASSOCIATES = 16;

export const associates: Scenario = {
  name: 'associates',
  async run(options) {
    const rounds = options.quick ? 1 : 5;
    const tickets = options.quick ? 1 : 10;
    const { url, credentials } = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'associates');
    const service = await startBackroom(url);
    const ids = await takeOrders(service, credentials, 0, (rounds * 2 + 1) * ASSOCIATES * tickets);
    const clients = await Promise.all(Array.from({ length: ASSOCIATES }, () => Client.open(service.port, credentials)));
    try {
      const run = (working: number) => async () => {
        const began = performance.now();
        const mine = ids.splice(0, ASSOCIATES * tickets);
        const share = mine.length / working;
        await Promise.all(
          clients.slice(0, working).map(async (client, associate) => {
            for (const id of mine.slice(associate * share, (associate + 1) * share)) {
              await generateAndConfirm(client, [id], `Associate${associate}`);
            }
          }),
        );
        return mine.length / ((performance.now() - began) / 1000);
      };
      await run(ASSOCIATES)();
      const result = await interleaved(rounds, run(ASSOCIATES), run(1));
      const note = 'tickets of one order, generated and confirmed by 16 callers at once; against one caller';
      return [shown({ name: '16 associates', engine: 'sqlite', unit: 'tickets/s', note, ...result })];
    } finally {
      for (const client of clients) client.close();
      await service.stop();
    }
  },
};
