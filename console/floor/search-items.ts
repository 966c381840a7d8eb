/** Searches items by words or a code. */
import { call } from '../api.ts';

/** Maximum number of consecutive pages without items that are read. The service examines 1,000 items for each page. */
const EMPTY_MAX = 100;

/**
 * Returns the first page with items from `after` on. The service examines a limited number of items per request, so a
 * page without items can have further items behind it. After `EMPTY_MAX` pages, the result is empty and has `next`.
 */
export async function searchItems<T>(
  clientId: string,
  filter: Record<string, string>,
  after?: string,
  signal?: AbortSignal,
) {
  for (let [next, read] = [after, 1]; ; read += 1) {
    const asked = { ...filter, ...(next !== undefined && { lastRecordId: next }) };
    const { items, lastRecordId } = await call<{ items: T[]; lastRecordId?: string }>(
      'GET',
      `/operator/v1/clients/${encodeURIComponent(clientId)}/items?${new URLSearchParams(asked)}`,
      signal && { signal },
    );
    if (items.length > 0 || lastRecordId === undefined || read === EMPTY_MAX)
      return { rows: items, next: lastRecordId };
    next = lastRecordId;
  }
}
