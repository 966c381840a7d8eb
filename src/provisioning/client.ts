/** A client: the schemas of PUT and of responses, and the function that makes a response from a row. */

import { readJson } from '../platform/json-column.ts';
import { identifier, list, named, object, type Static, Type, text } from '../platform/schema.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { withConditions } from '../shared/return-settings.ts';
import { ClientSettings } from './client-settings.ts';
import { sentBack, sentId, shown, times } from './resource.ts';
import { say } from './sentences.ts';

const client = {
  name: text(1, 120, { description: 'Name of the retailer' }),
  catalogIds: list(
    identifier(4, {
      pattern: '^[^\\s-](?:[^-]*[^\\s-])?$',
      'x-hint': say(
        'remove hyphens, and white space at the start and end; in an itemId, the hyphen separates catalogId and clientItemId',
      ),
    }),
    { min: 1, max: 50 },
    { description: 'Catalogs of the client' },
  ),
};

export const ClientPut = named(
  'ClientPut',
  object({
    ...client,
    settings: Type.Optional(ClientSettings),
    clientId: sentId,
    ...sentBack,
  }),
);
export type ClientPut = Static<typeof ClientPut>;

/** A retailer. `settings` are its own values; other settings have their defaults. */
export const Client = named('Client', object({ clientId: text(1, 32), ...client, settings: ClientSettings, ...shown }));
export type Client = Static<typeof Client>;

export function toClient(row: ClientRow): Client {
  const settings = readJson(row.settings);
  return {
    clientId: row.client_id,
    name: row.name,
    catalogIds: readJson(row.catalog_ids),
    settings: { ...settings, ...(settings.returns && { returns: withConditions(settings.returns) }) },
    ...times(row),
  };
}
