/** A list that is read from several stores or nodes at once. */

/** The position in each source that has more rows. */
type Positions = readonly (readonly [source: string, after: string | undefined])[];

/**
 * Reads the next page of each source. The rows of one result are in the order of `compare`; `after` is the `next` of
 * the previous result.
 */
export async function mergedPage<T>(
  sources: readonly string[],
  after: string | undefined,
  read: (source: string, after: string | undefined) => Promise<{ rows: readonly T[]; next?: string | undefined }>,
  compare: (one: T, other: T) => number,
): Promise<{ rows: readonly T[]; next: string | undefined }> {
  const positions: Positions =
    after === undefined ? sources.map((source) => [source, undefined] as const) : (JSON.parse(after) as Positions);
  const pages = await Promise.all(
    positions.map(async ([source, behind]) => ({ source, ...(await read(source, behind)) })),
  );
  const more = pages.flatMap(({ source, next }) => (next === undefined ? [] : [[source, next]]));
  return {
    rows: pages.flatMap(({ rows }) => rows).sort(compare),
    next: more.length === 0 ? undefined : JSON.stringify(more),
  };
}
