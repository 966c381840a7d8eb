/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { listAccessEvents, listAllAccessEvents } from './list.ts';
import { accessSchemas } from './schema.ts';

export const accessSlice: Slice = {
  schemas: [...accessSchemas],
  operations: {
    'Credentials and users': [listAccessEvents, listAllAccessEvents],
  },
};
