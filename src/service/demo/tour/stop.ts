/** A stop of the tour, and where in the small town it is. */
import type { Town } from '../town.ts';

/** One stop of the tour. */
export interface Stop {
  operationId: string;
  path: string;
  body?: unknown;
  /** CSV text of an upload, lines parted by `\n`. */
  csv?: string;
}

/** What the stops need to know of the town. */
export type Held = Pick<Town, 'orders' | 'tickets' | 'requests'>;

export const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
export const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
export const TOWN = '/operator/v1/clients/TOWN';
