/** Searches items by words or a code. */
import { call } from '../api.ts';

/**
 * Returns the first page with items from `after` on. The service examines a limited number of items per request, so a
 * page without items can have further items behind it.
 */
export async function searchItems<T>(
  clientId: string,
  filter: Record<string, string>,
  after?: string,
  signal?: AbortSignal,
) {
  for (let next = after; ; ) {
    const asked = { ...filter, ...(next !== undefined && { lastRecordId: next }) };
    const { items, lastRecordId } = await call<{ items: T[]; lastRecordId?: string }>(
      'GET',
      `/operator/v1/clients/${encodeURIComponent(clientId)}/items?${new URLSearchParams(asked)}`,
      signal && { signal },
    );
    if (items.length > 0 || lastRecordId === undefined) return { rows: items, next: lastRecordId };
    next = lastRecordId;
  }
}
