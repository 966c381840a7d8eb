/** Lists that a screen needs whole: all nodes and web stores of a client. The service sends them in pages. */
import type { components } from '../contract/client.d.ts';
import { api, send } from './api.ts';

/** The maximum page size of the service. */
const PAGE = 500;

interface PageQuery {
  limit: number;
  after?: string;
}

/** Reads all pages of a list, or the pages up to the first for which `isLast` is true. @throws ApiError */
export async function readAll<T>(
  readPage: (query: PageQuery) => Promise<{ rows: readonly T[]; next?: string | undefined }>,
  isLast: (rows: readonly T[]) => boolean = () => false,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | undefined;
  do {
    const { rows, next } = await readPage({ limit: PAGE, ...(after !== undefined && { after }) });
    all.push(...rows);
    after = isLast(rows) ? undefined : next;
  } while (after !== undefined);
  return all;
}

/** Reads the nodes of a client that the user has access to. @throws ApiError */
export function readNodes(clientId: string, signal: AbortSignal): Promise<components['schemas']['Node'][]> {
  return readAll(async (query) => {
    const params = { path: { clientId }, query };
    const { nodes, next } = await send(api.GET('/operator/v1/clients/{clientId}/nodes', { params, signal }));
    return { rows: nodes, next };
  });
}

/** Reads the web stores of a client. @throws ApiError */
export function readStores(clientId: string, signal?: AbortSignal): Promise<components['schemas']['Store'][]> {
  return readAll(async (query) => {
    const params = { path: { clientId }, query };
    const { stores, next } = await send(
      api.GET('/operator/v1/clients/{clientId}/stores', { params, ...(signal && { signal }) }),
    );
    return { rows: stores, next };
  });
}
