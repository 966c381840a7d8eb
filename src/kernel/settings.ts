/** Reads the settings of a client and the calendars of its nodes. */
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { type Settings, settingsOf } from '../shared/client-settings.ts';
import { calendarOf } from '../sla/calendar.ts';
import type { NodeSettings } from '../sla/engine.ts';

/** Returns the client's settings, completed by the defaults. */
export async function findSettings(db: Reader, clientId: string): Promise<Settings> {
  const [client] = await selectSettings(db, { clientId });
  return settingsOf(client!);
}

const selectSettings = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('clients').select('settings').where('client_id', '=', clientId),
);

/** The settings of a client at a node, and whether the node keeps stock. */
export interface SettingsThere extends NodeSettings {
  keepsStock: boolean;
}

const atNodes = new WeakMap<Settings, Map<string, Promise<SettingsThere>>>();

/**
 * Returns the settings together with the settings of an order's node. A node is read once per settings object. Call
 * this only after the orders are locked: a node that begins to keep stock locks its orders first, so an earlier read
 * could miss the change.
 */
export function atNode(
  db: Reader,
  settings: Settings,
  { client_id: clientId, node_id: nodeId }: Pick<FulfillmentOrderRow, 'client_id' | 'node_id'>,
): Promise<SettingsThere> {
  let known = atNodes.get(settings);
  if (known === undefined) {
    known = new Map();
    atNodes.set(settings, known);
  }
  let found = known.get(nodeId);
  if (found === undefined) {
    found = findNode(db, clientId, nodeId).then((node) => ({ ...settings, ...node }));
    known.set(nodeId, found);
  }
  return found;
}

/** Does the work of `findSettings` and `atNode` with one statement. The caller has locked the orders. */
export async function findSettingsAt(db: Reader, clientId: string, nodeId: string): Promise<SettingsThere> {
  const [row] = await selectSettingsAt(db, { clientId, nodeId });
  const there = { ...settingsOf(row!), calendar: calendarOf(row!), keepsStock: row!.stock === 'KEPT' };
  atNodes.set(there, new Map([[nodeId, Promise.resolve(there)]]));
  return there;
}

const selectSettingsAt = statement((db, { clientId, nodeId }: { clientId: string; nodeId: string }) =>
  db
    .selectFrom('clients')
    .innerJoin('nodes', 'nodes.client_id', 'clients.client_id')
    .select(['clients.settings', 'nodes.time_zone', 'nodes.opening_hours', 'nodes.holidays', 'nodes.stock'])
    .where('clients.client_id', '=', clientId)
    .where('nodes.node_id', '=', nodeId),
);

async function findNode(
  db: Reader,
  clientId: string,
  nodeId: string,
): Promise<Pick<SettingsThere, 'calendar' | 'keepsStock'>> {
  const [node] = await selectNode(db, { clientId, nodeId });
  return { calendar: calendarOf(node!), keepsStock: node!.stock === 'KEPT' };
}

const selectNode = statement((db, { clientId, nodeId }: { clientId: string; nodeId: string }) =>
  db
    .selectFrom('nodes')
    .select(['time_zone', 'opening_hours', 'holidays', 'stock'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId),
);
