/**
 * The kinds of work that delete data at the end of its retention, by ORDER_DAYS, EVENT_DAYS, SHIPMENT_DAYS, STOCK_DAYS,
 * EDI_DAYS and KEY_DAYS.
 */
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

/** Returns the kinds of work that delete expired data, for one scheduler. */
export const retentionKinds = (): readonly DueKind[] => [
  sweeping(orders),
  sweeping(commandsOf('commands past their time', ({ orderDays }) => orderDays, ['print:', 'decline:'])),
  sweeping(blindReturnSweep),
  sweeping(shipments),
  sweeping(interchanges),
  sweeping(stockMoves),
  sweeping(stockTransactions),
  sweeping(stockCounts),
  sweeping(countPlans),
  sweeping(commandsOf('stock commands past their time', ({ stockDays }) => stockDays, ['stockMove:', 'planCount:'])),
  events,
  months(),
  keys,
];
