/** Customer returns that a scanned code identifies: by number and by tracking number. */
import { cameOf, isBlind } from '../kernel/returns/draft.ts';
import { returnActions } from '../kernel/returns/states.ts';
import { findReturnLines } from '../kernel/returns/subject.ts';
import { EACH_MAX, ofStore, type Scan } from './scan-matches.ts';
import { say } from './sentences.ts';

/** Finds returns of the client at any node, because a parcel may arrive at any node. */
export async function findReturnMatches({ ctx, clientId, text, found }: Scan): Promise<void> {
  const rows = await ctx.db
    .selectFrom('returns')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', 'in', (eb) => {
      // Each number has an index; with `or`, SQLite would read all returns of the client.
      const named = (column: 'number' | 'tracking_number') =>
        eb
          .selectFrom('returns as named')
          .select('named.return_id')
          .where('named.client_id', '=', clientId)
          .where(`named.${column}`, '=', text);
      return named('number').unionAll(named('tracking_number'));
    })
    .orderBy('return_id')
    .limit(EACH_MAX)
    .execute();
  for (const row of rows.filter(ofStore(ctx.actor))) {
    const lines = await findReturnLines(ctx.db, row);
    const held = lines.reduce((sum, line) => sum + line.held, 0);
    const blind = lines.filter(isBlind).reduce((sum, line) => sum + cameOf(line), 0);
    found.matches.push({
      kind: 'RETURN',
      id: row.return_id,
      label: say('Return {number}, {status}', { number: row.number, status: row.status }),
      state: row.status,
      allowedActions: returnActions(row.status, { receipts: row.receipts, held, blind }),
      number: row.number,
      storeId: row.store_id,
    });
  }
}
