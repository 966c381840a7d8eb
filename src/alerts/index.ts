/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { alertSchemas } from './schema.ts';
import { searchFulfillmentAlerts } from './search.ts';

export const alertsSlice: Slice = {
  schemas: [...alertSchemas],
  operations: {
    Alerts: [searchFulfillmentAlerts],
  },
};
