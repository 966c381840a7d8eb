/** Operations and named schemas of this slice. */
import type { Slice } from '../../shared/slice.ts';
import { advanceClock } from './advance-clock.ts';
import { readClock } from './read-clock.ts';
import { sandboxSchemas } from './schema.ts';

export const sandboxSlice: Slice = {
  schemas: [...sandboxSchemas],
  operations: {
    Sandbox: [readClock, advanceClock],
  },
};
