import type { Command } from 'commander';
import { blankOrder } from '../orders/blank.ts';
import { type Installation, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson } from './io.ts';

export function add(program: Command, io: Io): void {
  program
    .command('forget')
    .description("Blank the customer's data of every fulfillment order of a web order. It cannot be undone.")
    .requiredOption('--web-order <webOrderId>', 'web order to forget')
    .requiredOption('--client <clientId>', 'client of the order')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom forget --web-order W100023 --client ACME')
    .action((options: { webOrder: string; client: string; json?: true }) => run(io, options));
}

async function run(io: Io, options: { webOrder: string; client: string; json?: true }): Promise<void> {
  const forgotten = await withInstallation(io, (installation) =>
    forget(installation, options.client, options.webOrder),
  );
  if (forgotten.length === 0) {
    throw new Error(
      `Client ${JSON.stringify(options.client)} has no orders of web order ${JSON.stringify(options.webOrder)}.`,
    );
  }
  if (options.json) printJson(io, { webOrderId: options.webOrder, fulfillmentOrderIds: forgotten });
  else print(io, `Forgot the customer of ${forgotten.length} fulfillment orders: ${forgotten.join(', ')}.`);
}

/** Blanks contacts, filter keys, PIN and gift messages (decision 35) and answers the ids of the orders. */
export async function forget(installation: Installation, clientId: string, webOrderId: string): Promise<string[]> {
  return installation.store.write(async (tx) => {
    const ctx = operatorCtx(installation, tx);
    const own = tx.selectFrom('fulfillment_orders').selectAll().where('client_id', '=', clientId);
    const orders = await own.where('web_order_id', '=', webOrderId).orderBy('fulfillment_order_id').execute();
    for (const order of orders) await blankOrder(ctx, order);
    return orders.map((order) => order.fulfillment_order_id);
  });
}
