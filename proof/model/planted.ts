/** The bugs that the campaign plants in the service, one at a time. The campaign must find each of them. */
import { ColumnNode, UpdateQueryNode } from 'kysely';
import type { Store } from '../../src/platform/storage/db.ts';
import { rewriting, tableOf, withoutGuard } from '../rewrite.ts';

/** Hides canceled units from the moment a ticket is closed until the units of its lines are written. */
function forgetsAtClose(store: Store): Store {
  let isClosing = false;
  return rewriting(store, {
    statement(node) {
      if (UpdateQueryNode.is(node)) {
        const sets = node.updates?.map(({ column }) => (ColumnNode.is(column) ? column.column.name : '')) ?? [];
        if (tableOf(node) === 'pick_tickets') isClosing = sets.includes('outcome');
        if (tableOf(node) === 'order_lines') isClosing = false;
      }
      return node;
    },
    rows: (table, rows) =>
      isClosing && table === 'order_lines' ? rows.map((row) => ({ ...row, canceling: 0 })) : rows,
  });
}

/** Returns a bug that changes the settings of clients when the service reads them. */
const withSettings =
  (change: (settings: Settings) => Settings) =>
  (store: Store): Store =>
    rewriting(store, {
      rows: (table, rows) => {
        if (table !== 'clients') return rows;
        return rows.map((row) => {
          const { settings } = row;
          if (typeof settings !== 'string') return row;
          return { ...row, settings: JSON.stringify(change(JSON.parse(settings) as Settings)) };
        });
      },
    });

interface Settings {
  receiving?: { over?: object; duplicateCartons?: string };
  stock?: object;
}

const RECEIVED = { state: 'RECEIVED', whole_as: 'GOOD', receipt_id: 'r', user_id: 'ann', since: 0 };

export const BUGS: Record<string, (store: Store) => Store> = {
  'a total counts a unit too many': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'order_lines'
            ? rows
            : rows.map((row) => (typeof row['units'] === 'number' ? { ...row, units: row['units'] + 1 } : row)),
      },
      { reads: true },
    ),
  'a queue shows the orders of every queue': (store) =>
    rewriting(store, { statement: (node) => withoutGuard(node, 'fulfillment_orders', ['queue_id']) }, { reads: true }),
  'a closed ticket is read as open': (store) =>
    rewriting(store, {
      statement: (node) => withoutGuard(node, 'pick_tickets', ['status', 'revision']),
      rows: (table, rows) =>
        table !== 'pick_tickets' ? rows : rows.map((row) => ({ ...row, status: 'NEW', outcome: null })),
    }),
  'a second hand-over forgets the units of the first': (store) =>
    rewriting(store, {
      rows: (table, rows) =>
        table !== 'order_lines' ? rows : rows.map((row) => ('handed_over' in row ? { ...row, handed_over: 0 } : row)),
    }),
  'units canceled during the pick are forgotten at the end of the ticket': forgetsAtClose,
  'a wrong PIN does not count': (store) =>
    rewriting(store, {
      rows: (table, rows) => (table !== 'fulfillment_orders' ? rows : rows.map((row) => ({ ...row, pin_attempts: 0 }))),
    }),
  'the feed leaves an event out': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'events' ? rows : rows.filter(({ type }) => type !== 'order.handedOver')) },
      { reads: true },
    ),
  'a repeated request gets another response': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'idempotency_keys' ? rows : rows.map((row) => ({ ...row, reply: '{}' }))) },
      { reads: true },
    ),
  'header amounts are charged again': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'order_charges' ? rows : rows.map((row) => ({ ...row, with_header: 0 }))) },
      { reads: true },
    ),
  'held units of goods in are forgotten': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'inbound_sums' ? rows : rows.map((row) => ({ ...row, held: 0 }))) },
      { reads: true },
    ),
  'a shelf has a unit more than its moves say': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'stock_levels'
            ? rows
            : rows.map((row) => (typeof row['shelf'] === 'number' ? { ...row, shelf: row['shelf'] + 1 } : row)),
      },
      { reads: true },
    ),
  'a promise is not checked': (store) =>
    rewriting(store, {
      rows: (_table, rows) => rows.map((row) => ('promise' in row ? { ...row, promise: 'ANY' } : row)),
    }),
  'a tolerance in percent is not counted': withSettings(({ receiving, ...others }) => ({
    ...others,
    receiving: { ...receiving, ...(receiving?.over && { over: { ...receiving.over, percent: 0 } }) },
  })),
  'a carton is announced twice although the client forbids it': withSettings(({ receiving, ...others }) => ({
    ...others,
    receiving: { ...receiving, duplicateCartons: 'WARN' },
  })),
  'a count is posted however much it differs': withSettings(({ stock, ...others }) => ({
    ...others,
    stock: { ...stock, countTolerance: { percent: 0, units: 1000 } },
  })),
  'held units are approved by their receiver': (store) =>
    rewriting(store, {
      rows: (table, rows) =>
        table !== 'inbound_receipts' ? rows : rows.map((row) => ({ ...row, user_id: 'somebody else' })),
    }),
  'a purchase order forgets its deliveries': (store) =>
    rewriting(store, { rows: (table, rows) => (table !== 'inbound_orders' ? rows : []) }, { reads: true }),
  'a carton that was taken back stays received': (store) =>
    rewriting(store, {
      rows: (table, rows) =>
        table !== 'inbound_carton_work'
          ? rows
          : rows.map((row) => (row['state'] !== 'EXPECTED' ? row : { ...row, ...RECEIVED })),
    }),
  'only the first line of a receipt is stored': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'inbound_entries' ? rows : rows.filter((row) => (row['entry_index'] ?? 0) === 0),
      },
      { reads: true },
    ),
  'good units on the stage are reported on the shelf': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'inbound_entries' ? rows : rows.map((row) => ({ ...row, place: 'SHELF' }))) },
      { reads: true },
    ),
  'the first of two sellers with one number is used': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) => {
          const [first] = rows;
          const isNamed = table === 'inbound_shipments' && rows.every((row) => row['number'] === first?.['number']);
          return isNamed ? rows.slice(0, 1) : rows;
        },
      },
      { reads: true },
    ),
  'good units go to the shelf although the node puts them on the stage': (store) =>
    rewriting(
      store,
      {
        rows: (_table, rows) => rows.map((row) => ('receive_to' in row ? { ...row, receive_to: 'SHELF' } : row)),
      },
      { reads: true },
    ),
  'a refund forgets the refunds before it': (store) =>
    rewriting(store, { rows: (table, rows) => (table !== 'refunds' ? rows : []) }),
  'held units of a return are shown as sellable': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'return_lines'
            ? rows
            : rows.map((row) => ({ ...row, sellable: Number(row['sellable']) + Number(row['held']), held: 0 })),
      },
      { reads: true },
    ),
  'a revoked credential works': (store) =>
    rewriting(
      store,
      { rows: (table, rows) => (table !== 'credentials' ? rows : rows.map((row) => ({ ...row, revoked_at: null }))) },
      { reads: true },
    ),
  'a webhook is signed with the previous secret': (store) =>
    rewriting(
      store,
      {
        rows: (table, rows) =>
          table !== 'webhooks'
            ? rows
            : rows.map((row) => ({
                ...row,
                secret: row['old_secret'] ?? row['secret'],
                old_secret: null,
                old_secret_until: null,
              })),
      },
      { reads: true },
    ),
};
