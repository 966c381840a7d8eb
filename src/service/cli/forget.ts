import type { Command } from 'commander';
import { anonymizeOrder, PERSONAL_TABLES } from '../../orders/anonymize.ts';
import { type Installation, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson } from './io.ts';

export function add(program: Command, io: Io): void {
  program
    .command('forget')
    .description(
      'Anonymize the customer data of every fulfillment order of a web order, in all bytes of the files. This cannot be undone.',
    )
    .requiredOption('--web-order <webOrderId>', 'web order to forget')
    .requiredOption('--client <clientId>', 'client of the order')
    .option('--rewrite', 'also rebuild the database file, which may have old data from releases before 0.2')
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom forget --web-order W100023 --client ACME')
    .action((options: Options) => run(io, options));
}

interface Options {
  webOrder: string;
  client: string;
  rewrite?: true;
  json?: true;
}

async function run(io: Io, options: Options): Promise<void> {
  const { forgotten, isClean, engine } = await withInstallation(io, async (installation) => {
    const ids = await forget(installation, options.client, options.webOrder);
    const rewrite = options.rewrite === true;
    return {
      forgotten: ids,
      engine: installation.store.engine,
      isClean: ids.length > 0 && (await installation.store.scrub(PERSONAL_TABLES, { rewrite })),
    };
  });
  if (forgotten.length === 0) {
    throw new Error(
      `Client ${JSON.stringify(options.client)} has no orders of web order ${JSON.stringify(options.webOrder)}.`,
    );
  }
  if (options.json) printJson(io, { webOrderId: options.webOrder, fulfillmentOrderIds: forgotten, isClean });
  else print(io, `Forgot the customer of ${forgotten.length} fulfillment orders: ${forgotten.join(', ')}.`);
  if (!isClean)
    throw new Error(
      engine === 'sqlite'
        ? 'The log beside the database still has old pages, because other processes were reading: run the command again.'
        : 'PostgreSQL did not vacuum the tables, because the role does not own them: run the command again with a DATABASE_URL of their owner.',
    );
}

/** Anonymizes contacts, filter keys, PIN and gift messages. Returns the ids of the orders. */
export async function forget(installation: Installation, clientId: string, webOrderId: string): Promise<string[]> {
  return installation.store.write(async (tx) => {
    const ctx = operatorCtx(installation, tx);
    const own = tx.selectFrom('fulfillment_orders').selectAll().where('client_id', '=', clientId);
    const orders = await own.where('web_order_id', '=', webOrderId).orderBy('fulfillment_order_id').execute();
    for (const order of orders) await anonymizeOrder(ctx, order);
    return orders.map((order) => order.fulfillment_order_id);
  });
}
