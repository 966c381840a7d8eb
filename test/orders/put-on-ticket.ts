import type { Store } from '../../src/platform/storage/db.ts';

/** Writes a ticket with the first line of each order. */
export async function putOnTicket(store: Store, pick_ticket_id: string, orderIds: readonly string[]) {
  const of = { client_id: 'C1', pick_ticket_id };
  await store.write(async (tx) => {
    await tx
      .insertInto('pick_tickets')
      .values({
        ...of,
        store_id: 'S1',
        node_id: 'N1',
        queue_id: 'RA',
        user_id: 'ana',
        status: 'NEW',
        revision: 1,
        fulfillment_type: 'STORE_PICK_UP',
        currency: 'USD',
        hold_location: 'A1',
        pick_ticket_date: 0,
        pick_sla_date: 0,
        total_fulfillment_orders: orderIds.length,
        total_skus: 1,
        total_quantity: orderIds.length,
      } as never)
      .execute();
    await tx
      .insertInto('pick_ticket_items')
      .values({ ...of, id: 1, item_id: '1-A', unit_price: '1', quantity: orderIds.length, snapshot: '{}' } as never)
      .execute();
    for (const fulfillment_order_id of orderIds) {
      await tx
        .insertInto('pick_ticket_lines')
        .values({ ...of, fulfillment_order_id, line_index: 0, id: 1, quantity: 1 })
        .execute();
    }
  });
}
