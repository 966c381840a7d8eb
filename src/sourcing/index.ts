/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { answerResourceRequest } from './answer.ts';
import { declineOrderUnits } from './decline-order.ts';
import { declineOrders } from './decline-orders.ts';
import { listResourceRequests } from './list.ts';
import { listNodeItemHolds } from './list-holds.ts';
import { readResourceRequest } from './read.ts';
import { releaseNodeItem } from './release.ts';
import { sourcingSchemas } from './schema.ts';

export const sourcingSlice: Slice = {
  schemas: [...sourcingSchemas],
  operations: {
    Orders: [declineOrders],
    'Re-source requests': [listResourceRequests, readResourceRequest, answerResourceRequest],
    Packing: [declineOrderUnits],
    'Node items': [listNodeItemHolds, releaseNodeItem],
  },
};
