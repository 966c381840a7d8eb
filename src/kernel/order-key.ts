import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';

/** The columns that name an order. */
export type OrderKey = Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id'>;
