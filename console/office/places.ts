/** Nodes and web stores of the client by name. A screen shows the name; it adds the id only in choices. */
import { clientId, place } from '../session.ts';
import { type Loaded, useLoad } from '../ui/load.tsx';

// `read-all.ts` loads on demand, because screens that only show names are useful without it.
const readAll = () => import('../read-all.ts');

export interface Place {
  id: string;
  name: string;
  /** Time zone of a node. */
  timeZone?: string;
}

/** Loads the nodes of the client that the user has access to. */
export function useNodes(): Loaded<readonly Place[]> {
  const own = clientId.value;
  return useLoad(`nodes ${own}`, async (signal) => {
    // A user of the operator can open an order before choosing a client. Then there are no nodes to load.
    if (own === undefined) return [];
    const nodes = await (await readAll()).readNodes(own, signal);
    return nodes.map(({ nodeId, name, timeZone }) => ({ id: nodeId, name, timeZone }));
  });
}

/** Loads the web stores of the client. */
export function useStores(): Loaded<readonly Place[]> {
  const own = clientId.value;
  return useLoad(`stores ${own}`, async (signal) => {
    // A user of the operator can open an order before choosing a client. Then there are no stores to load.
    if (own === undefined) return [];
    const stores = await (await readAll()).readStores(own, signal);
    return stores.map(({ storeId, name }) => ({ id: storeId, name }));
  });
}

/** Returns the name of a place, or its id until the names are loaded. */
export function nameIn(places: Loaded<readonly Place[]>, id: string): string {
  return places.data.value?.find((one) => one.id === id)?.name ?? id;
}

/** The choice of all nodes in a list of nodes. */
const ALL_NODES = 'ALL';
/** Maximum number of nodes that a screen reads at the same time. */
export const NODES_MAX = 12;

/** The chosen nodes of a screen of the office. */
export interface NodeChoice {
  /** The choice of all nodes, if the screen has it. */
  all: readonly { value: string; label: string }[];
  options: readonly { value: string; label: string }[];
  value: string;
  nodeIds: readonly string[];
}

/**
 * Returns the nodes that a screen of the office shows: the node in the address, otherwise the node at which the user
 * works, otherwise all nodes. With more than `NODES_MAX` nodes, a screen shows the first node instead of all nodes. A
 * search can still show all nodes, because it does not read all of them at once.
 */
export function chosenNodes(
  nodes: readonly Place[],
  asked: string | null,
  { all, isSearch }: { all: string; isSearch: boolean },
): NodeChoice {
  const known = (id: string | undefined) => nodes.some((one) => one.id === id);
  const hasAll = nodes.length > 1 && (isSearch || nodes.length <= NODES_MAX);
  const first = nodes[0]?.id ?? '';
  const own = place.value?.nodeId;
  const wanted = asked ?? own ?? ALL_NODES;
  const value = known(wanted) ? wanted : hasAll ? ALL_NODES : first;
  return {
    all: hasAll ? [{ value: ALL_NODES, label: all }] : [],
    options: nodes.map(({ id, name }) => ({ value: id, label: name })),
    value,
    nodeIds: value === ALL_NODES ? nodes.map(({ id }) => id) : value === '' ? [] : [value],
  };
}
