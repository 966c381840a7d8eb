/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { contactCustomer } from './ask.ts';
import { readCustomerContact } from './read.ts';
import { contactSchemas } from './schema.ts';

export const contactSlice: Slice = {
  schemas: [...contactSchemas],
  operations: {
    Orders: [readCustomerContact, contactCustomer],
  },
};
