/** Nodes and web stores of the client by their names: a screen shows the name, and the id beside it only where somebody chooses. */
import { api, send } from '../api.ts';
import { ownClient } from '../session.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';

export interface Place {
  id: string;
  name: string;
}

/** As many as the service gives at once. */
const LIMIT = 500;

/** The nodes of the client that the person may see. */
export function useNodes(): Loaded<readonly Place[]> {
  const path = { clientId: ownClient() };
  return useLoad(`nodes ${path.clientId}`, async (signal) => {
    const params = { path, query: { limit: LIMIT } };
    const { nodes } = await send(api.GET('/operator/v1/clients/{clientId}/nodes', { params, signal }));
    return nodes.map(({ nodeId, name }) => ({ id: nodeId, name }));
  });
}

/** The web stores of the client. */
export function useStores(): Loaded<readonly Place[]> {
  const path = { clientId: ownClient() };
  return useLoad(`stores ${path.clientId}`, async (signal) => {
    const params = { path, query: { limit: LIMIT } };
    const { stores } = await send(api.GET('/operator/v1/clients/{clientId}/stores', { params, signal }));
    return stores.map(({ storeId, name }) => ({ id: storeId, name }));
  });
}

/** The name of a place; its id while the names are not there. */
export function nameIn(places: Loaded<readonly Place[]>, id: string): string {
  return places.data.value?.find((one) => one.id === id)?.name ?? id;
}
