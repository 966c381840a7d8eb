import { QUEUE_IDS } from '../kernel/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { UNIT_MAX } from '../platform/measures.ts';
import { flag, identifier, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { CONTACT_LANGUAGES, RESOURCE_TYPES, settingsOf } from '../shared/client-settings.ts';
import { type ReturnSettings, returnsOfStore } from '../shared/return-settings.ts';
import { box, Printing, reason } from './client-settings.ts';
import { node, nodeDefaults, nodeStock } from './node.ts';
import { ReturnChoices } from './returns-settings.ts';

/** The settings of the client and the node that users at the node need, such as the lists that they choose from. */
export const WorkSettings = named(
  'WorkSettings',
  object({
    name: node.name,
    timeZone: node.timeZone,
    address: node.address,
    holdLocations: nodeDefaults.holdLocations,
    stock: nodeStock.stock,
    receiveTo: nodeStock.receiveTo,
    stores: list(
      object({
        storeId: text(1, 40),
        name: text(1, 120, { description: 'Name of the web store' }),
        catalogId: text(1, 32, { description: 'Catalog of the web store; the itemIds of its items begin with it' }),
        currency: text(3, 3, { description: 'Currency of the web store (ISO 4217), also of the prices of its items' }),
        returns: ReturnChoices,
      }),
      { max: 500 },
      { description: 'Web stores of the client to which the caller has access' },
    ),
    queues: list(
      object({
        defaultId: text(1, 40, { description: 'Default id of the queue, which is the same for every client' }),
        queueId: text(1, 40, { description: 'The client’s id of the queue' }),
      }),
      { max: QUEUE_IDS.length },
      { description: 'Queues of the client' },
    ),
    cancelReasons: list(
      reason,
      { max: 200 },
      { description: 'Reasons for units that are canceled, declined or not accepted by the customer' },
    ),
    resourceTypes: list(
      oneOf(RESOURCE_TYPES),
      { max: RESOURCE_TYPES.length },
      {
        description:
          'Fulfillment types, in addition to SHIP_TO_HOME, for which declined units create a re-source request',
      },
    ),
    verificationMethods: list(
      identifier(40),
      { max: 50 },
      {
        description:
          'Methods to verify the person who takes the goods, such as a kind of document. A method never contains the number of a document',
      },
    ),
    pin: object(
      {
        required: flag({ description: 'Whether the hand-over of an order that has a PIN needs the PIN' }),
        attempts: integer(1, 100, {
          description: 'Number of consecutive wrong PINs after which the PIN of the order is locked',
        }),
        lockMinutes: integer(1, 10_080, { description: 'Duration of the lock in minutes' }),
      },
      { description: 'Rules for the PIN of an order at its hand-over' },
    ),
    handOverProof: oneOf(['NONE', 'SIGNATURE', 'PHOTO', 'ANY'], {
      description: 'Proof that each hand-over at the counter needs. ANY: a signature or a photo',
    }),
    weightUnits: list(identifier(UNIT_MAX), { max: 20 }, { description: 'Units of weight allowed for packages' }),
    sizeUnits: list(identifier(UNIT_MAX), { max: 20 }, { description: 'Units allowed for the sides of packages' }),
    boxes: list(box, { max: 50 }, { description: 'Boxes of the client' }),
    imageOrigins: list(
      text(9, 260),
      { max: 20 },
      { description: 'Origins of item pictures. The console shows only pictures from these origins' },
    ),
    printing: Printing,
    customerLanguage: Type.Optional(
      oneOf(CONTACT_LANGUAGES, {
        description:
          'Language of documents for customers (setting contact.language). Absent if the language is not set',
      }),
    ),
  }),
);
type WorkSettings = Static<typeof WorkSettings>;

/** Returns the settings that users at a node need. */
export const readWorkSettings = readOperation({
  id: 'readWorkSettings',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/settings',
  summary: 'Read the settings that work at a node needs',
  description:
    'Returns the lists that users at a node choose from, with the defaults for lists that the client has not set: reasons, types of orders that another node can serve, reasons and conditions of returns, ways to ' +
    'verify a person, units of weight and size, boxes, hold locations, queues, origins of pictures, logo, texts and language of printed documents, and the web stores of the client. For a credential that is limited to stores, the list of web stores has only these stores; the other lists are complete.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'inbound', 'intake'],
    permission: ['fulfillment.read', 'checkin.read', 'items.read'],
  },
  message: {
    replies: { 200: { description: 'The settings', schema: WorkSettings } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    stale: true,
    async handle(ctx, { clientId, node }) {
      const client = await ctx.db
        .selectFrom('clients')
        .select('settings')
        .where('client_id', '=', clientId)
        .executeTakeFirstOrThrow();
      const settings = settingsOf(client);
      // The default of contact.language applies to mails only. Without the setting, documents have the language of the
      // console.
      const customerLanguage = readJson(client.settings).contact?.language;
      const {
        cancelReasons,
        resourceTypes,
        verificationMethods,
        pin,
        handOverProof,
        weightUnits,
        sizeUnits,
        boxes,
        imageOrigins,
        printing,
      } = settings;
      return reply(200, {
        name: node.name,
        timeZone: node.time_zone,
        address: readJson(node.address),
        holdLocations: readJson(node.hold_locations),
        stock: node.stock,
        receiveTo: node.receive_to,
        stores: await storesOf(ctx, clientId, settings.returns),
        queues: QUEUE_IDS.map((defaultId) => ({ defaultId, queueId: settings.queueIds[defaultId] ?? defaultId })),
        cancelReasons,
        resourceTypes,
        verificationMethods,
        pin,
        handOverProof,
        weightUnits,
        sizeUnits,
        boxes,
        imageOrigins,
        printing,
        ...(customerLanguage !== undefined && { customerLanguage }),
      } satisfies WorkSettings);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/settings' },
});

const STORES_MAX = 500;

async function storesOf(ctx: ReadCtx, clientId: string, ofClient: ReturnSettings) {
  const { storeIds } = ctx.actor;
  const rows = await ctx.db
    .selectFrom('stores')
    .select(['store_id', 'name', 'catalog_id', 'currency', 'returns'])
    .where('client_id', '=', clientId)
    .$if(storeIds !== undefined && storeIds !== null, (select) =>
      select.where('store_id', 'in', ctx.dialect.listOf<string>(storeIds!, 'text')),
    )
    .orderBy('store_id')
    .limit(STORES_MAX)
    .execute();
  return rows.map((row) => {
    const own = row.returns === null ? null : readJson(row.returns);
    const { reasons, conditions, blind } = returnsOfStore(ofClient, own);
    return {
      storeId: row.store_id,
      name: row.name,
      catalogId: row.catalog_id,
      currency: row.currency,
      returns: { reasons, conditions, blind },
    };
  });
}
