/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { confirmCustomerPickup } from './confirm.ts';
import { deliverFulfillmentOrder } from './deliver.ts';
import { deliverySchemas } from './delivery-schema.ts';
import { readCustomerPickup } from './details.ts';
import { HandOverProof, readHandOverProof } from './read-proof.ts';
import { pickupSchemas } from './schema.ts';
import { unlockPin } from './unlock-pin.ts';

export const handoverSlice: Slice = {
  schemas: [...pickupSchemas, HandOverProof, ...deliverySchemas],
  operations: {
    'Customer pickup': [readCustomerPickup, confirmCustomerPickup, readHandOverProof, unlockPin],
    Delivery: [deliverFulfillmentOrder],
  },
};
