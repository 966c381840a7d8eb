/** Deletes X12 interchanges at the end of their retention (docs/edi-partners.md#how-long-interchanges-are-kept). */
import { sql } from 'kysely';
import { along, type Mark, type Sweep } from './sweep.ts';

/** Statuses of interchanges that the service, a partner or an operator still has to process. They are not deleted. */
const KEPT = ['TAKING', 'WAITING', 'OVERDUE', 'QUARANTINED'] as const;

/** Finds interchanges by the time at which they were received or written. Their sets are deleted with them. */
export const interchanges: Sweep<Mark> = {
  name: 'edi past its time',
  days: ({ ediDays }) => ediDays,
  batch: 100,
  find: along(
    'edi_interchanges',
    { at: 'created_at', clientId: 'client_id', id: 'interchange_id' },
    sql`status not in (${sql.join(KEPT.map((status) => sql.lit(status)))})`,
  ),
  remove: async ({ db }, rows) => {
    let count = 0;
    for (const { clientId, id } of rows) {
      const done = await db
        .deleteFrom('edi_interchanges')
        .where('client_id', '=', clientId)
        .where('interchange_id', '=', id)
        .where('status', 'not in', KEPT)
        .executeTakeFirst();
      count += Number(done.numDeletedRows);
    }
    return { interchanges: count };
  },
};
