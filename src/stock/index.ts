/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { approveCount } from './approve-count.ts';
import { availabilitySchemas, listAvailability } from './availability.ts';
import { listStockOfItem } from './by-node.ts';
import { countStock } from './count.ts';
import { approveCountPlan } from './count-plans/approve.ts';
import { changePlannedLines } from './count-plans/change.ts';
import { createCountPlan } from './count-plans/create.ts';
import { discardCountPlan } from './count-plans/discard.ts';
import { listCountPlans } from './count-plans/list.ts';
import { openCountPlan } from './count-plans/open.ts';
import { readCountPlan } from './count-plans/read.ts';
import { recordPlannedCount } from './count-plans/record-count.ts';
import { recountPlannedLines } from './count-plans/recount.ts';
import { countPlanSchemas } from './count-plans/schema.ts';
import { exportStock } from './export.ts';
import { listStock } from './list.ts';
import { listCounts } from './list-counts.ts';
import { moveStock } from './move.ts';
import { listStockMoves } from './moves-of-item.ts';
import { rejectCount } from './reject-count.ts';
import { stockSchemas } from './schema.ts';
import { listStockTransactions } from './transactions.ts';
import { listWantedCounts } from './wanted.ts';

export const stockSlice: Slice = {
  schemas: [...stockSchemas, ...availabilitySchemas, ...countPlanSchemas],
  operations: {
    Stock: [
      listStock,
      listStockMoves,
      listStockOfItem,
      listAvailability,
      exportStock,
      listStockTransactions,
      moveStock,
      countStock,
      approveCount,
      rejectCount,
      listCounts,
      listWantedCounts,
      createCountPlan,
      listCountPlans,
      readCountPlan,
      changePlannedLines,
      openCountPlan,
      recordPlannedCount,
      recountPlannedLines,
      approveCountPlan,
      discardCountPlan,
    ],
  },
};
