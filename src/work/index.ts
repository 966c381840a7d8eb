/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { readBoards } from './boards.ts';
import { boardsSchemas } from './boards-schema.ts';
import { listNodeOrders } from './orders.ts';
import { nodeOrdersSchemas } from './orders-schema.ts';
import { listNodePeople, NodePeople } from './people.ts';
import { printLabels, printSchemas } from './print.ts';
import { readNodeWork } from './read.ts';
import { scanCode } from './scan.ts';
import { scanSchemas } from './scan-schema.ts';
import { workSchemas } from './schema.ts';

export const workSlice: Slice = {
  schemas: [...workSchemas, ...scanSchemas, ...boardsSchemas, ...nodeOrdersSchemas, NodePeople, ...printSchemas],
  operations: {
    'Work at a node': [readNodeWork, scanCode, listNodeOrders, listNodePeople, readBoards, printLabels],
  },
};
