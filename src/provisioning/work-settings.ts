import { findSettings } from '../kernel/settings.ts';
import { QUEUE_IDS } from '../kernel/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { UNIT_MAX } from '../platform/measures.ts';
import { flag, identifier, integer, list, named, object, type Static, text } from '../platform/schema.ts';
import { Printing, reason } from './client-settings.ts';
import { node, nodeDefaults, nodeStock } from './node.ts';

/** What people who work at a node need to know of the settings of client and node: the lists they choose from. */
export const WorkSettings = named(
  'WorkSettings',
  object({
    name: node.name,
    timeZone: node.timeZone,
    holdLocations: nodeDefaults.holdLocations,
    receiveTo: nodeStock.receiveTo,
    stores: list(
      object({ storeId: text(1, 40), name: text(1, 120, { description: 'Name of the web store' }) }),
      { max: 500 },
      { description: 'Web stores of the client whose orders the caller may see' },
    ),
    queues: list(
      object({
        defaultId: text(1, 40, { description: 'The queue, by the name that it has everywhere' }),
        queueId: text(1, 40, { description: 'The client’s own name of it' }),
      }),
      { max: QUEUE_IDS.length },
      { description: 'Queues of the client' },
    ),
    cancelReasons: list(reason, { max: 200 }, { description: 'Reasons of canceled, declined and refused units' }),
    verificationMethods: list(
      identifier(40),
      { max: 50 },
      { description: 'How the person who takes goods may be verified; never a number of a document' },
    ),
    pin: object(
      {
        required: flag({ description: 'An order that has a PIN is handed over only with it' }),
        attempts: integer(1, 100, { description: 'Wrong PINs in a row after which an order is locked' }),
        lockMinutes: integer(1, 10_080, { description: 'Minutes that it stays locked' }),
      },
      { description: 'The PIN of an order at its hand-over' },
    ),
    weightUnits: list(identifier(UNIT_MAX), { max: 20 }, { description: 'Units of weight that packages may have' }),
    sizeUnits: list(identifier(UNIT_MAX), { max: 20 }, { description: 'Units that the sides of packages may have' }),
    imageOrigins: list(
      text(9, 260),
      { max: 20 },
      { description: 'Origins that pictures of items come from; the console shows pictures of no others' },
    ),
    printing: Printing,
  }),
);
type WorkSettings = Static<typeof WorkSettings>;

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
