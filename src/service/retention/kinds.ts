/**
 * The kinds of work that delete data at the end of its retention, by ORDER_DAYS, EVENT_DAYS, SHIPMENT_DAYS, STOCK_DAYS,
 * EDI_DAYS and KEY_DAYS.
 */
import { type SqlBool, sql } from 'kysely';
import type { DueKind } from '../../platform/due-kind.ts';
import { interchanges } from './edi.ts';
import { events } from './events.ts';
import { keys } from './keys.ts';
import { months } from './months.ts';
import { commandsOf, orders } from './orders.ts';
import { blindReturnSweep } from './returns.ts';
import { shipments } from './shipments.ts';
import { countPlans, stockCounts, stockMoves, stockTransactions } from './stock.ts';
import { sweeping } from './sweep.ts';

/** Labels of `backroom_retention_removed_total`. */
export const REMOVED_KINDS = [
  'orders',
  'tickets',
  'returns',
  'commands',
  'shipments',
  'interchanges',
  'stock moves',
  'stock transactions',
  'counts',
  'count plans',
  'events',
  'keys',
  'access events',
] as const;

/** The conditions of the indexes `commands_of_nodes` and `commands_of_stock`. */
const OF_NODES = sql<SqlBool>`(substr(scope, 1, 6) = 'print:' or substr(scope, 1, 8) = 'decline:')`;
const OF_STOCK = sql<SqlBool>`substr(scope, 1, 10) in ('stockMove:', 'planCount:')`;

/** Returns the kinds of work that delete expired data, for one scheduler. */
export const retentionKinds = (): readonly DueKind[] => [
  sweeping(orders),
  sweeping(commandsOf('commands past their time', ({ orderDays }) => orderDays, OF_NODES)),
  sweeping(blindReturnSweep),
  sweeping(shipments),
  sweeping(interchanges),
  sweeping(stockMoves),
  sweeping(stockTransactions),
  sweeping(stockCounts),
  sweeping(countPlans),
  sweeping(commandsOf('stock commands past their time', ({ stockDays }) => stockDays, OF_STOCK)),
  events,
  months(),
  keys,
];
