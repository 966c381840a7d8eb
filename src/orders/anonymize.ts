/** Blanking of the customer's data of an order: when its time is over, or because somebody asks for it (docs/decisions/124). */

import { record } from '../events/record.ts';
import { forgetCommands } from '../kernel/commands.ts';
import type { Contacts } from '../kernel/orders.ts';
import type { Ctx } from '../platform/ctx.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { changeScope, deleteNotes } from './change-store.ts';

/** The tables that hold a customer's data: what is blanked in them shall be in no byte of the database's files either. */
export const PERSONAL_TABLES = [
  'fulfillment_orders',
  'order_lines',
  'package_items',
  'hand_overs',
  'order_notes',
  'commands',
] as const;

/** Stands where a person's data was; empty texts would not be a valid contact. */
const BLANK = '-';

/** Blanks contacts, filter keys, PIN, gift messages and how people proved who they are, and removes notes. It cannot be undone. */
export async function anonymizeOrder(ctx: Ctx, order: FulfillmentOrderRow): Promise<void> {
  const { client_id: clientId, fulfillment_order_id: id } = order;
  const revision = order.revision + 1;
  await ctx.db
    .updateTable('fulfillment_orders')
    .set({
      ...anonymized(order),
      revision,
      updated_at: ctx.now,
      blanked_at: ctx.now,
      ...(order.ended_at !== null && { due_at: null }),
    })
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', id)
    .execute();
  await ctx.db
    .updateTable('order_lines')
    .set({ instructions: null })
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', id)
    .execute();
  await ctx.db
    .updateTable('package_items')
    .set({ instructions: null, custom_attributes: null })
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', id)
    .execute();
  await ctx.db
    .updateTable('hand_overs')
    .set({ verification_method: null })
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', id)
    .execute();
  await deleteNotes(ctx, order);
  await forgetCommands(ctx, clientId, changeScope(id));
  await record(ctx, { clientId, type: 'order.forgotten', resource: 'order', resourceId: id, revision });
}

function anonymized(order: FulfillmentOrderRow) {
  const contacts = JSON.parse(order.contacts) as Contacts;
  const nobody = { name: BLANK, email: BLANK, phone: BLANK };
  const anonymous: Contacts = {
    ...contacts,
    customer: nobody,
    ...(contacts.proxyDetails && { proxyDetails: nobody }),
    destinations: contacts.destinations.map((one) => {
      // A node's address is nobody's secret, but the person who collects there is.
      const { destinationId, destinationType, address } = one;
      const kept = destinationType === 'NODE_ADDRESS' ? { ...address } : anonymousAddress(address?.countryCode);
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
    contacts: stringifyJson(anonymous),
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

function anonymousAddress(countryCode: string | undefined) {
  return { line1: BLANK, city: BLANK, mainDivisionCode: BLANK, postalCode: BLANK, ...(countryCode && { countryCode }) };
}
