/**
 * Anonymizes the customer's data of an order: when its retention time is over, or on request
 * (docs/sla.md#what-happens).
 */

import { record } from '../events/record.ts';
import { forgetCommands, scopeOf } from '../kernel/commands.ts';
import { deleteMessages } from '../kernel/messages.ts';
import type { Contacts } from '../kernel/orders.ts';
import { forgetReturnsOf, PERSONAL_RETURN_TABLES } from '../kernel/returns/forget.ts';
import type { Ctx } from '../platform/ctx.ts';
import { forgetReplies } from '../platform/http/idempotency.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { deleteNotes } from './change-store.ts';

/** The tables with customers' data. After anonymization no byte of the database's files may contain that data. */
export const PERSONAL_TABLES = [
  'fulfillment_orders',
  'order_lines',
  'package_items',
  'hand_overs',
  'pack_slips',
  'order_notes',
  'commands',
  'idempotency_keys',
  ...PERSONAL_RETURN_TABLES,
] as const;

/** The text that replaces personal data. It is not empty, because an empty text is not a valid contact. */
const ANONYMOUS = '-';

/**
 * Anonymizes contacts, filter keys, PIN, gift messages, verification methods and proofs of hand-overs, and the returns
 * of the order. Removes hashes of the customer's data. Deletes notes, messages to the customer and stored responses.
 * The anonymization cannot be undone.
 */
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
    .set({
      verification_method: null,
      proof_kind: null,
      proof_type: null,
      proof_cipher: null,
      content_hash: ANONYMOUS,
    })
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', id)
    .execute();
  // The hashes of pack slips and hand-overs use no secret key, so a list of customers is enough to find the customer of
  // the order. The hash is part of the primary key of a slip, so the id of the slip replaces it.
  await ctx.db
    .updateTable('pack_slips')
    .set((eb) => ({ content_hash: eb.ref('pack_slip_id') }))
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', id)
    .execute();
  await deleteNotes(ctx, order);
  await deleteMessages(ctx, order);
  await forgetReturnsOf(ctx, clientId, id);
  await forgetCommands(ctx, clientId, scopeOf('change', id));
  // The reference of a label is a hash of the address and other data, so it is personal data too.
  await forgetCommands(ctx, clientId, scopeOf('label', id));
  await forgetReplies(ctx.db, clientId, id);
  await record(ctx, { clientId, type: 'order.forgotten', resource: 'order', resourceId: id, revision });
}

function anonymized(order: FulfillmentOrderRow) {
  const contacts = readJson(order.contacts);
  const person = { name: ANONYMOUS, email: ANONYMOUS, phone: ANONYMOUS };
  const anonymous: Contacts = {
    ...contacts,
    customer: person,
    ...(contacts.proxyDetails && { proxyDetails: person }),
    destinations: contacts.destinations.map((one) => {
      // The address of a node is public; the name of the person who collects there is personal data.
      const { destinationId, destinationType, address } = one;
      const kept = destinationType === 'NODE_ADDRESS' ? { ...address } : anonymousAddress(address?.countryCode);
      return {
        destinationId,
        ...(destinationType && { destinationType }),
        personName: { firstName: ANONYMOUS, lastName: ANONYMOUS },
        address: kept,
        phone: ANONYMOUS,
        email: ANONYMOUS,
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
    // The keyed hashes of the sent fields are personal data too.
    member_hashes: stringifyJson({}),
  };
}

function anonymousAddress(countryCode: string | undefined) {
  return {
    line1: ANONYMOUS,
    city: ANONYMOUS,
    mainDivisionCode: ANONYMOUS,
    postalCode: ANONYMOUS,
    ...(countryCode && { countryCode }),
  };
}
