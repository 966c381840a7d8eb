/**
 * Generates and confirms a ticket of 10 orders over HTTP. The counterpart runs the same statements in two transactions.
 */
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems } from '../support/data.ts';
import { serveHere } from '../support/in-process.ts';
import { ORDER_ITEMS, takeOrders } from '../support/orders.ts';
import { startBackroom } from '../support/processes.ts';
import { Replayer, recorded } from '../support/recorder.ts';
import { atLeast, interleaved, type Scenario } from '../support/scenario.ts';
import { generateAndConfirm } from '../support/tickets.ts';

const ORDERS = 10;

export const ticket: Scenario = {
  name: 'ticket',
  async run(options) {
    const rounds = options.quick ? 1 : 9;
    const perRound = options.quick ? 3 : 25;
    const warmUp = options.quick ? 2 : 100;
    const tickets = warmUp + rounds * perRound;
    const base = copyOf(await filledWithItems(options.folder, ORDER_ITEMS), 'ticket-ours');
    const filling = await startBackroom(base.url);
    const ids = await takeOrders(filling, base.credentials, 0, tickets * ORDERS);
    await filling.stop();
    const orders = Array.from({ length: tickets }, (_, n) => ids.slice(n * ORDERS, (n + 1) * ORDERS));
    const byHand = copyOf(base, 'ticket-by-hand');
    const transactions = await record(copyOf(base, 'ticket-recorded'), orders);
    const statements = transactions[0]!.reduce((sum, transaction) => sum + transaction.length, 0);

    const service = await startBackroom(base.url);
    const client = await Client.open(service.port, base.credentials);
    const replayer = new Replayer(byHand.file);
    try {
      let ours = 0;
      const oursFor = async (count: number) => {
        const began = performance.now();
        for (let n = 0; n < count; n++) await generateAndConfirm(client, orders[ours++]!);
        return count / ((performance.now() - began) / 1000);
      };
      let bare = 0;
      const bareFor = async (count: number) => {
        const began = performance.now();
        for (let n = 0; n < count; n++) for (const transaction of transactions[bare++]!) replayer.run(transaction);
        return count / ((performance.now() - began) / 1000);
      };
      await oursFor(warmUp);
      await bareFor(warmUp);
      const result = await interleaved(
        rounds,
        () => oursFor(perRound),
        () => bareFor(perRound),
      );
      options.say(
        `  ${Math.round(result.value)} against ${Math.round(result.counterpart)} tickets/s, ratios ${result.ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
      );
      const note = `one caller, two requests and two commits; against their ${statements} statements by hand in two transactions, synchronous=FULL`;
      return [
        atLeast(0.6, { name: 'generate + CONFIRM, 10 orders', engine: 'sqlite', unit: 'tickets/s', note, ...result }),
      ];
    } finally {
      client.close();
      replayer.close();
      await service.stop();
    }
  },
};

/** Records the transactions of each ticket. */
async function record(copy: { url: string; credentials: Record<string, string> }, orders: readonly string[][]) {
  const here = await serveHere(copy.url);
  const client = await Client.open(here.port, copy.credentials);
  try {
    const all = [];
    for (const ids of orders) all.push(await recorded(() => generateAndConfirm(client, ids)));
    return all;
  } finally {
    client.close();
    await here.stop();
  }
}
