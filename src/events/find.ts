/** Finds events of a client by their positions and types, in pages of limited size. */
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import { readTogether, SHOWN_COLUMNS, type ShownRow, SIZE_COLUMNS, type Sized } from './show.ts';

/** The wanted events: those with positions in (after, last]. If `types` is set, only events of these types. */
interface Wanted {
  clientId: string;
  after: number;
  last: number;
  types?: readonly string[];
}

type Between = Omit<Wanted, 'types'>;

const selectEvents = statement((db, { clientId, after, last }: Between) =>
  db
    .selectFrom('events')
    .select(SHOWN_COLUMNS)
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .orderBy('position'),
);

const selectSizes = statement((db, { clientId, after, last, limit }: Between & { limit: number }) =>
  db
    .selectFrom('events')
    .select(SIZE_COLUMNS)
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .orderBy('position')
    .limit(limit),
);

/**
 * Finds the first events in (after, last] in the order of their positions: at most `limit`, and at most as many as are
 * read together (`readTogether`). All wanted events up to `next` are found; the caller continues after `next`.
 */
export async function findEvents(
  db: Reader,
  wanted: Wanted & { limit: number },
): Promise<{ rows: ShownRow[]; next: number }> {
  const sizes = await findSizes(db, wanted);
  const count = readTogether(sizes);
  const next = count < sizes.length || count === wanted.limit ? sizes[count - 1]!.position! : wanted.last;
  if (count === 0) return { rows: [], next };
  const { clientId, after, types } = wanted;
  if (types === undefined) return { rows: await selectEvents(db, { clientId, after, last: next }), next };
  return { rows: await ofTypes(db, { clientId, after, last: next, types }).select(SHOWN_COLUMNS).execute(), next };
}

/** Returns the positions and sizes of the first `limit` events. */
export function findSizes(db: Reader, { types, ...wanted }: Wanted & { limit: number }): Promise<Sized[]> {
  if (types === undefined) return selectSizes(db, wanted);
  return ofTypes(db, { ...wanted, types })
    .select(SIZE_COLUMNS)
    .limit(wanted.limit)
    .execute();
}

function ofTypes(db: Reader, { clientId, after, last, types }: Required<Wanted>) {
  return db
    .selectFrom('events')
    .where('client_id', '=', clientId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .where('type', 'in', types.length === 0 ? [''] : types)
    .orderBy('position');
}
