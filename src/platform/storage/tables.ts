/** Rows of the database as Kysely sees them: one interface a table, in a file for each part of the business. `schema.sql` has the rules. */
import type { EventsTables } from './tables/events.ts';
import type { ItemsTables } from './tables/items.ts';
import type { OrdersTables } from './tables/orders.ts';
import type { PeopleTables } from './tables/people.ts';
import type { PickingTables } from './tables/picking.ts';
import type { ProvisioningTables } from './tables/provisioning.ts';
import type { ReceivingTables } from './tables/receiving.ts';
import type { ServiceTables } from './tables/service.ts';
import type { StockTables } from './tables/stock.ts';

export type * from './tables/events.ts';
export type * from './tables/items.ts';
export type * from './tables/orders.ts';
export type * from './tables/people.ts';
export type * from './tables/picking.ts';
export type * from './tables/provisioning.ts';
export type * from './tables/receiving.ts';
export type * from './tables/service.ts';
export type * from './tables/stock.ts';

export interface Tables
  extends ProvisioningTables,
    PeopleTables,
    ItemsTables,
    ReceivingTables,
    StockTables,
    OrdersTables,
    PickingTables,
    EventsTables,
    ServiceTables {}
