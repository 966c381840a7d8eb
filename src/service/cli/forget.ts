import type { Command } from 'commander';
import { lockOrders } from '../../kernel/orders.ts';
import { anonymizeOrder, PERSONAL_TABLES } from '../../orders/anonymize.ts';
import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';
import { type Installation, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson } from './io.ts';
import { mustFindOrdersOfPerson } from './person.ts';

export function add(program: Command, io: Io): void {
  program
    .command('forget')
    .description(
      'Anonymize the customer data of every fulfillment order of a web order, in all bytes of the files. This cannot be undone.',
    )
    .requiredOption('--web-order <webOrderId>', 'web order to forget')
    .requiredOption('--client <clientId>', 'client of the order')
    .option('--store <storeId>', 'store of the order; required if several stores have an order with this number')
    .option('--rewrite', 'also rebuild the database file, which may have old data from releases before 0.2')
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom forget --web-order W100023 --client ACME')
    .action((options: Options) => run(io, options));
}

interface Options {
  webOrder: string;
  client: string;
  store?: string;
  rewrite?: true;
  json?: true;
}

async function run(io: Io, options: Options): Promise<void> {
  const { forgotten, isClean, engine } = await withInstallation(io, async (installation) => {
    const ids = await forget(installation, options);
    const rewrite = options.rewrite === true;
    return {
      forgotten: ids,
      engine: installation.store.engine,
      isClean: await installation.store.scrub(PERSONAL_TABLES, { rewrite }),
    };
  });
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
function forget(installation: Installation, options: Options): Promise<string[]> {
  return installation.store.write(async (tx) => {
    const ctx = operatorCtx(installation, tx);
    const find = async () => (await mustFindOrdersOfPerson(tx, options)).map((one) => one.fulfillment_order_id);
    let orders: FulfillmentOrderRow[] = [];
    let ids = await find();
    // While this transaction waits for the locks, a decision RESOURCE can create a further order of the customer.
    while (ids.length > orders.length) {
      orders = await lockOrders(ctx, options.client, ids);
      ids = await find();
    }
    for (const order of orders) await anonymizeOrder(ctx, order);
    return ids;
  });
}
