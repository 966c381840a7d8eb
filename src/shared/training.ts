/** Ends trainings by deleting all their data (docs/decisions/264). */
import { Contended, isForeignKeyViolation, type Writer } from '../platform/storage/db.ts';
import type { Tables, TrainingRow } from '../platform/storage/tables.ts';
import { isTraining } from '../platform/training.ts';

/** Tables with rows of a client, in the order of deletion: a table is before the tables that its rows refer to. */
export const TABLES_OF_A_CLIENT = [
  'access_events',
  'access_heads',
  'alerts',
  'checkin_package_items',
  'checkin_packages',
  'commands',
  'credentials',
  'device_codes',
  'devices',
  'user_identities',
  'identity_providers',
  'items',
  'item_terms',
  'hand_overs',
  'order_charges',
  'package_items',
  'pick_ticket_lines',
  'order_lines',
  'order_notes',
  'customer_messages',
  'pack_slips',
  'packages',
  'resource_request_lines',
  'resource_requests',
  'refunds',
  'return_fees',
  'return_held',
  'return_lines',
  'return_receipts',
  'returns',
  'fulfillment_orders',
  'inbound_lines',
  'inbound_cartons',
  'inbound_carton_work',
  'inbound_entries',
  'inbound_receipts',
  'inbound_statements',
  'inbound_sums',
  'inbound_shipments',
  'node_item_holds',
  'node_items',
  'pick_ticket_scans',
  'pick_ticket_items',
  'pick_tickets',
  'stock_levels',
  'stock_moves',
  'stock_move_marks',
  'stock_transactions',
  'count_plan_lines',
  'count_plans',
  'stock_count_lines',
  'stock_counts',
  'stock_heads',
  'stock_carried',
  'sessions',
  'outbox_tickets',
  'passkeys',
  'sign_in_attempts',
  'spent_round_trips',
  'idempotency_keys',
  'idempotency_orders',
  'imports',
  'counters',
  'printers',
  'events',
  'event_heads',
  'event_sequences',
  'nodes',
  'stores',
  'sellers',
  'users',
  'edi_sets',
  'edi_shipments',
  'edi_interchanges',
  'edi_partners',
  'webhook_deliveries',
  'webhooks',
  'trainings',
  'clients',
  'inbound_orders',
] as const satisfies readonly (keyof Tables)[];

/**
 * Deletes the data of a training with its session. Returns the training, or undefined if it has already ended.
 * @throws Error for the id of a client that is not a training.
 * @throws Contended if a request of the training adds rows meanwhile
 */
export async function endTraining(tx: Writer, clientId: string): Promise<TrainingRow | undefined> {
  if (!isTraining(clientId)) throw new Error(`${clientId} is not the client of a training`);
  const training = await tx.selectFrom('trainings').selectAll().where('client_id', '=', clientId).executeTakeFirst();
  if (training === undefined) return undefined;
  for (const table of TABLES_OF_A_CLIENT) {
    try {
      await tx
        .deleteFrom(table as 'clients')
        .where('client_id', '=', clientId)
        .execute();
    } catch (error) {
      // A request of the training has added rows to a table that this loop had already emptied. The next run deletes
      // these rows.
      throw isForeignKeyViolation(error) ? new Contended('The training still gets rows.', { cause: error }) : error;
    }
  }
  return training;
}
