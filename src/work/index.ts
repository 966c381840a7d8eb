/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { readBoards } from './boards.ts';
import { boardsSchemas } from './boards-schema.ts';
import { printLabels, printSchemas } from './print.ts';
import { readNodeWork } from './read.ts';
import { scanCode } from './scan.ts';
import { scanSchemas } from './scan-schema.ts';
import { workSchemas } from './schema.ts';

export const workSlice: Slice = {
  schemas: [...workSchemas, ...scanSchemas, ...boardsSchemas, ...printSchemas],
  operations: {
    'Work at a node': [readNodeWork, scanCode, readBoards, printLabels],
  },
};
