/** Deletes X12 interchanges at the end of their retention (docs/edi-partners.md#how-long-interchanges-are-kept). */
import { sql } from 'kysely';
import { removeSequences } from '../../events/sequences.ts';
import { literals } from '../../platform/storage/literals.ts';
import { UNFINISHED } from '../edi/schema.ts';
import { along, type Mark, type Sweep } from './sweep.ts';

/** Finds interchanges by the time at which they were received or written. Their sets are deleted with them. */
export const interchanges: Sweep<Mark> = {
  name: 'edi past its time',
  days: ({ ediDays }) => ediDays,
  batch: 100,
  find: along(
    'edi_interchanges',
    { at: 'created_at', clientId: 'client_id', id: 'interchange_id' },
    sql`status not in (${literals(...UNFINISHED)})`,
  ),
  remove: async (ctx, rows) => {
    let count = 0;
    for (const { clientId, id } of rows) {
      const done = await ctx.db
        .deleteFrom('edi_interchanges')
        .where('client_id', '=', clientId)
        .where('interchange_id', '=', id)
        .where('status', 'not in', UNFINISHED)
        .executeTakeFirst();
      if (done.numDeletedRows === 0n) continue;
      await removeSequences(ctx, clientId, 'ediInterchange', [id]);
      count += 1;
    }
    return { interchanges: count };
  },
};
