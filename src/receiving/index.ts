/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { approveInbound } from './approve.ts';
import { arriveInbound } from './arrive.ts';
import { openBlindInbound } from './blind.ts';
import { closeInbound } from './close.ts';
import { listInbound } from './list.ts';
import { matchInbound } from './match.ts';
import { readInbound } from './read.ts';
import { receiptSchemas } from './receipt-schema.ts';
import { receiveInbound } from './receive.ts';
import { reopenInbound } from './reopen.ts';
import { replaceInbound } from './replace.ts';
import { receivingSchemas } from './schema.ts';
import { readNodeInbound } from './show.ts';
import { transmitInbound } from './transmit.ts';
import { voidInbound } from './void.ts';
import { listNodeInbound } from './worklist.ts';

export const receivingSlice: Slice = {
  schemas: [...receivingSchemas, ...receiptSchemas],
  operations: {
    'Inbound shipments': [transmitInbound, readInbound, listInbound, replaceInbound, voidInbound],
    'Goods in': [
      listNodeInbound,
      readNodeInbound,
      arriveInbound,
      receiveInbound,
      openBlindInbound,
      matchInbound,
      closeInbound,
      reopenInbound,
      approveInbound,
    ],
  },
};
