/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { confirmCheckIn } from './confirm.ts';
import { readCheckIn } from './details.ts';
import { checkinSchemas } from './schema.ts';

export const checkinSlice: Slice = {
  schemas: [...checkinSchemas],
  operations: {
    'Check-in': [readCheckIn, confirmCheckIn],
  },
};
