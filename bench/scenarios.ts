/** Every scenario, in the order in which they run. */
import { asn } from './scenarios/asn.ts';
import { associates } from './scenarios/associates.ts';
import { day } from './scenarios/day.ts';
import { edi } from './scenarios/edi.ts';
import { importItems } from './scenarios/import-items.ts';
import { importStock } from './scenarios/import-stock.ts';
import { install } from './scenarios/install.ts';
import { itemRead } from './scenarios/item-read.ts';
import { itemReadPostgres } from './scenarios/item-read-postgres.ts';
import { itemsRandom } from './scenarios/items-random.ts';
import { queueSearch } from './scenarios/queue-search.ts';
import { receipt } from './scenarios/receipt.ts';
import { returns } from './scenarios/returns.ts';
import { scan } from './scenarios/scan.ts';
import { start } from './scenarios/start.ts';
import { stock } from './scenarios/stock.ts';
import { ticket } from './scenarios/ticket.ts';
import { writers } from './scenarios/writers.ts';
import type { Scenario } from './support/scenario.ts';

export const SCENARIOS: readonly Scenario[] = [
  itemRead,
  itemReadPostgres,
  itemsRandom,
  queueSearch,
  ticket,
  associates,
  day,
  writers,
  asn,
  edi,
  receipt,
  returns,
  scan,
  stock,
  importItems,
  importStock,
  start,
  install,
];
