/** Operations and named schemas of this slice. */
import type { Slice } from '../../shared/slice.ts';
import { endTraining } from './end.ts';
import { startTraining } from './start.ts';

export const trainingSlice: Slice = {
  schemas: [],
  operations: {
    Sessions: [startTraining, endTraining],
  },
};
