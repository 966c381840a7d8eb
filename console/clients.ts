/** The clients of the installation, for people of the operator: they look at one at a time. */
import { api, send } from './api.ts';
import { chooseClient, clientId } from './session.ts';

/** What a choice of clients shows of each. */
export interface ClientName {
  clientId: string;
  name: string;
}

/** As many as the service gives at once. */
const PAGE = 500;

/**
 * All clients by name. The only one is chosen at once; a choice that this browser remembers and that is no client any more is forgotten.
 *
 * @throws ApiError
 */
export async function readClients(signal: AbortSignal): Promise<readonly ClientName[]> {
  const all: ClientName[] = [];
  let after: string | undefined;
  do {
    const query = { limit: PAGE, ...(after !== undefined && { after }) };
    const { clients, next } = await send(api.GET('/operator/v1/clients', { params: { query }, signal }));
    all.push(...clients.map(({ clientId: id, name }) => ({ clientId: id, name })));
    after = next;
  } while (after !== undefined);
  const chosen = clientId.peek();
  if (!all.some((one) => one.clientId === chosen)) chooseClient(all.length === 1 ? all[0]!.clientId : undefined);
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}
