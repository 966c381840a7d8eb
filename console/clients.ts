/** The clients of the installation, for users of the operator, who work with one client at a time. */
import { api, send } from './api.ts';
import { readAll } from './read-all.ts';
import { chooseClient, clientId } from './session.ts';

/** The data of a client in the list of clients. */
export interface ClientName {
  clientId: string;
  name: string;
}

/**
 * Returns all clients, sorted by name. If the remembered client does not exist, chooses the only client. If there are
 * several clients, chooses none.
 * @throws ApiError
 */
export async function readClients(signal: AbortSignal): Promise<readonly ClientName[]> {
  const all: ClientName[] = await readAll(async (query) => {
    const { clients, next } = await send(api.GET('/operator/v1/clients', { params: { query }, signal }));
    return { rows: clients, next };
  });
  const chosen = clientId.peek();
  if (!all.some((one) => one.clientId === chosen)) chooseClient(all.length === 1 ? all[0]!.clientId : undefined);
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}
