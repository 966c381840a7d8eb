/** Operations and named schemas of this slice. */
import type { Slice } from '../shared/slice.ts';
import { correctPickTicket } from './correct.ts';
import { generatePickTicket } from './generate.ts';
import { openPickTicket } from './open.ts';
import { savePickProgress } from './progress.ts';
import { pickingSchemas } from './schema.ts';
import { searchPickTickets } from './search.ts';
import { takeOverPickTicket } from './take-over.ts';
import { ticketSchemas } from './ticket-schema.ts';
import { updatePickTicket } from './update.ts';

export const pickingSlice: Slice = {
  schemas: [...pickingSchemas, ...ticketSchemas],
  operations: {
    Picking: [
      generatePickTicket,
      updatePickTicket,
      searchPickTickets,
      openPickTicket,
      savePickProgress,
      takeOverPickTicket,
      correctPickTicket,
    ],
  },
};
