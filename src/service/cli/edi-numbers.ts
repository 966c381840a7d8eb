/** Raises the control numbers of EDI partners after a restore (docs/how-to/back-up-and-restore.md#restore). */
import { sql } from 'kysely';
import { NUMBER_MAX } from '../edi/outbound.ts';
import { withStore } from './installation.ts';
import { type Io, print } from './io.ts';

/**
 * Skips control numbers of every partner, so that no number is used again of a file that a partner got after the
 * backup. The number after the largest one is 1.
 */
export async function skipNumbers(io: Io, { by }: { by: number }): Promise<void> {
  const skipped = (column: string) =>
    sql<number>`(${sql.ref(column)} + ${sql.lit(by - 1)}) % ${sql.lit(NUMBER_MAX)} + 1`;
  // Crosses tenants: a restore replaces the data of all clients (docs/decisions/190).
  const partners = await withStore(io, ({ store }) =>
    store.write((tx) =>
      tx
        .updateTable('edi_partners')
        .set({ out_interchange: skipped('out_interchange'), out_group: skipped('out_group') })
        .returning(['client_id', 'partner_id', 'out_interchange', 'out_group'])
        .execute(),
    ),
  );
  if (partners.length === 0) print(io, 'There are no EDI partners.');
  const key = (row: (typeof partners)[number]) => `${row.client_id}\t${row.partner_id}`;
  for (const row of partners.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)))
    print(io, `${key(row)}\tlast interchange ${row.out_interchange}, last group ${row.out_group}`);
}
