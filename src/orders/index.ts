/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { searchQueue } from './by-queue.ts';
import { cancelFulfillmentOrder } from './cancel.ts';
import { cancelSchemas } from './cancel-schema.ts';
import { changeFulfillmentOrder } from './change.ts';
import { changeSchemas } from './change-schema.ts';
import { exportFulfillmentOrders } from './export.ts';
import { OrderHistory, OrderHistoryEvent, readOrderHistory } from './history.ts';
import { createFulfillmentOrders } from './intake.ts';
import { intakeSchemas } from './intake-schema.ts';
import { moveFulfillmentOrder } from './move.ts';
import { listFulfillmentOrders } from './of-web-order.ts';
import { readFulfillmentOrder } from './read.ts';
import { ListedOrder, OrderDetails } from './read-schema.ts';
import { searchFulfillmentOrders } from './search.ts';
import { searchSchemas } from './search-schema.ts';

export const ordersSlice: Slice = {
  schemas: [
    ...intakeSchemas,
    ...searchSchemas,
    OrderDetails,
    ListedOrder,
    ...cancelSchemas,
    ...changeSchemas,
    OrderHistory,
    OrderHistoryEvent,
  ],
  operations: {
    Orders: [
      createFulfillmentOrders,
      readFulfillmentOrder,
      readOrderHistory,
      changeFulfillmentOrder,
      moveFulfillmentOrder,
      cancelFulfillmentOrder,
    ],
    'Order search': [searchQueue, searchFulfillmentOrders, listFulfillmentOrders, exportFulfillmentOrders],
  },
};
