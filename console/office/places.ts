/** Nodes and web stores of the client by name. A screen shows the name; it adds the id only in choices. */
import { api, send } from '../api.ts';
import { ownClient } from '../session.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';

export interface Place {
  id: string;
  name: string;
}

/** The maximum page size of the service. */
const LIMIT = 500;

/** Loads the nodes of the client that the user may see. */
export function useNodes(): Loaded<readonly Place[]> {
  const path = { clientId: ownClient() };
  return useLoad(`nodes ${path.clientId}`, async (signal) => {
    const params = { path, query: { limit: LIMIT } };
    const { nodes } = await send(api.GET('/operator/v1/clients/{clientId}/nodes', { params, signal }));
    return nodes.map(({ nodeId, name }) => ({ id: nodeId, name }));
  });
}

/** Loads the web stores of the client. */
export function useStores(): Loaded<readonly Place[]> {
  const path = { clientId: ownClient() };
  return useLoad(`stores ${path.clientId}`, async (signal) => {
    const params = { path, query: { limit: LIMIT } };
    const { stores } = await send(api.GET('/operator/v1/clients/{clientId}/stores', { params, signal }));
    return stores.map(({ storeId, name }) => ({ id: storeId, name }));
  });
}

/** Returns the name of a place, or its id until the names are loaded. */
export function nameIn(places: Loaded<readonly Place[]>, id: string): string {
  return places.data.value?.find((one) => one.id === id)?.name ?? id;
}
