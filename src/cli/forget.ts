import type { Command } from 'commander';
import { record } from '../events.ts';
import { stringifyJson } from '../http/json.ts';
import type { Contacts } from '../orders/store.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import { type Installation, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson } from './io.ts';

/** Stands where a person's data was; empty texts would not be a valid contact. */
const BLANK = '-';

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
    for (const order of orders) {
      const id = order.fulfillment_order_id;
      const revision = order.revision + 1;
      await tx
        .updateTable('fulfillment_orders')
        .set({ ...blanked(order), revision, updated_at: ctx.now })
        .where('client_id', '=', clientId)
        .where('fulfillment_order_id', '=', id)
        .execute();
      await tx
        .updateTable('order_lines')
        .set({ instructions: null })
        .where('client_id', '=', clientId)
        .where('fulfillment_order_id', '=', id)
        .execute();
      await record(ctx, { clientId, type: 'order.forgotten', resource: 'order', resourceId: id, revision });
    }
    return orders.map((order) => order.fulfillment_order_id);
  });
}

function blanked(order: FulfillmentOrderRow) {
  const contacts = JSON.parse(order.contacts) as Contacts;
  const nobody = { name: BLANK, email: BLANK, phone: BLANK };
  const blank: Contacts = {
    ...contacts,
    customer: nobody,
    ...(contacts.proxyDetails && { proxyDetails: nobody }),
    destinations: contacts.destinations.map((one) => {
      // A node's address is nobody's secret, but the person who collects there is.
      const { destinationId, destinationType, address } = one;
      const kept = destinationType === 'NODE_ADDRESS' ? { ...address } : blankAddress(address?.countryCode);
      return {
        destinationId,
        ...(destinationType && { destinationType }),
        personName: { firstName: BLANK, lastName: BLANK },
        address: kept,
        phone: BLANK,
        email: BLANK,
      };
    }),
  };
  return {
    contacts: stringifyJson(blank),
    customer_name_key: '',
    customer_email_key: '',
    customer_phone_key: '',
    proxy_name_key: order.proxy_name_key === null ? null : '',
    proxy_email_key: order.proxy_email_key === null ? null : '',
    proxy_phone_key: order.proxy_phone_key === null ? null : '',
    postal_code_key: '',
    pin_cipher: null,
    pin_hash: null,
    // Keyed hashes of what was sent: gone with it.
    member_hashes: '{}',
  };
}

function blankAddress(countryCode: string | undefined) {
  return { line1: BLANK, city: BLANK, mainDivisionCode: BLANK, postalCode: BLANK, ...(countryCode && { countryCode }) };
}
