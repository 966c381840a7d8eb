/** A list that is read from several stores or nodes at once. */

/** The sources that have, or can have, more rows. They are read in this order. */
type Positions<S> = readonly (readonly [source: S, after: string | null])[];

/** Maximum number of sources that are read at once: with hundreds of stores, the list otherwise exceeds RATE_LIMIT. */
export const SOURCES_MAX = 36;
/** Maximum number of such reads for one page, if none of them has a row. */
const READS_MAX = 3;
/** Maximum number of rows of a page, and of one source in it. */
const [ROWS_MAX, OF_SOURCE_MAX] = [600, 100];

/**
 * Reads the next page: the next `limit` rows of up to `SOURCES_MAX` sources. If they have no rows, reads the following
 * sources, so a result without rows can have `next`. The rows of one result are in the order of `compare`; `after` is
 * the `next` of the previous result.
 */
export async function mergedPage<S, T>(
  sources: readonly S[],
  after: string | undefined,
  read: (
    source: S,
    after: string | undefined,
    limit: number,
  ) => Promise<{ rows: readonly T[]; next?: string | undefined }>,
  compare: (one: T, other: T) => number,
): Promise<{ rows: readonly T[]; next: string | undefined }> {
  let positions: Positions<S> =
    after === undefined ? sources.map((source) => [source, null] as const) : (JSON.parse(after) as Positions<S>);
  for (let reads = 1; ; reads += 1) {
    const now = positions.slice(0, SOURCES_MAX);
    const limit = Math.min(OF_SOURCE_MAX, Math.floor(ROWS_MAX / now.length));
    const pages = await Promise.all(
      now.map(async ([source, behind]) => ({ source, ...(await read(source, behind ?? undefined, limit)) })),
    );
    const more = pages.flatMap(({ source, next }) => (next === undefined ? [] : [[source, next] as const]));
    positions = [...positions.slice(SOURCES_MAX), ...more];
    const rows = pages.flatMap((page) => page.rows).sort(compare);
    if (rows.length > 0 || positions.length === 0 || reads === READS_MAX)
      return { rows, next: positions.length === 0 ? undefined : JSON.stringify(positions) };
  }
}
