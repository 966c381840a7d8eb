/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { answerRefund } from './answer-refund.ts';
import { cancelReturn } from './cancel.ts';
import { checkReturn } from './check.ts';
import { closeReturn } from './close.ts';
import { createReturn } from './create.ts';
import { disposeReturn } from './dispose.ts';
import { markReturnInTransit } from './in-transit.ts';
import { listRefunds } from './list-refunds.ts';
import { matchReturn } from './match.ts';
import { previewReturn } from './preview.ts';
import { readReturn } from './read.ts';
import { receiveReturn } from './receive.ts';
import { reopenReturn } from './reopen.ts';
import { returnSchemas } from './schema.ts';
import { searchReturns } from './search.ts';
import { takeReturn } from './take.ts';

export const returnsSlice: Slice = {
  schemas: returnSchemas,
  operations: {
    Returns: [
      checkReturn,
      createReturn,
      readReturn,
      searchReturns,
      cancelReturn,
      markReturnInTransit,
      previewReturn,
      takeReturn,
      receiveReturn,
      disposeReturn,
      matchReturn,
      closeReturn,
      reopenReturn,
      listRefunds,
      answerRefund,
    ],
  },
};
