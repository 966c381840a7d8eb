import { findSettings } from '../kernel/settings.ts';
import { QUEUE_IDS } from '../kernel/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { WorkSettings } from './schema.ts';

/** Reads what people who work at a node choose from. */
export const readWorkSettings = readOperation({
  id: 'readWorkSettings',
  stale: true,
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/settings',
  auth: 'operatorOrApiKey',
  group: ['fulfillment', 'inbound'],
  permission: ['fulfillment.read', 'checkin.read', 'items.read'],
  summary: 'Read the settings that work at a node needs',
  description:
    'Responds with the lists that people at a node choose from, the defaults where the client has none of its own: reasons, ways to ' +
    'verify a person, units of weight and size, hold locations, queues, origins of pictures, logo and texts of printed documents, and the web stores of the client. A credential narrowed to stores ' +
    'sees those only.',
  replies: { 200: { description: 'The settings', schema: WorkSettings } },
  refusals: { 404: 'There is no such client or node.' },
  errors: 'problem',
  async handle(ctx, { clientId, node }) {
    const settings = await findSettings(ctx.db, clientId);
    const { cancelReasons, verificationMethods, pin, weightUnits, sizeUnits, imageOrigins, printing } = settings;
    return reply(200, {
      name: node.name,
      timeZone: node.time_zone,
      holdLocations: JSON.parse(node.hold_locations) as string[],
      receiveTo: node.receive_to,
      stores: await storesOf(ctx, clientId),
      queues: QUEUE_IDS.map((defaultId) => ({ defaultId, queueId: settings.queueIds[defaultId] ?? defaultId })),
      cancelReasons,
      verificationMethods,
      pin,
      weightUnits,
      sizeUnits,
      imageOrigins,
      printing,
    } satisfies WorkSettings);
  },
});

const STORES_MAX = 500;

async function storesOf(ctx: ReadCtx, clientId: string) {
  const { storeIds } = ctx.actor;
  const rows = await ctx.db
    .selectFrom('stores')
    .select(['store_id', 'name'])
    .where('client_id', '=', clientId)
    .$if(storeIds !== undefined && storeIds !== null, (select) =>
      select.where('store_id', 'in', ctx.dialect.listOf<string>(storeIds!, 'text')),
    )
    .orderBy('store_id')
    .limit(STORES_MAX)
    .execute();
  return rows.map((row) => ({ storeId: row.store_id, name: row.name }));
}
