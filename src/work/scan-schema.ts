/** Wire shapes of the scan of any code. */

import { AllowedAction } from '../kernel/allowed.ts';
import { dateTime, integer, list, named, object, oneOf, ref, type Static, Type, text } from '../platform/schema.ts';

const { Optional } = Type;

const READ_KINDS = [
  'SSCC',
  'GTIN',
  'CONTENT',
  'LOT',
  'EXPIRY',
  'SERIAL',
  'COUNT',
  'NET_WEIGHT',
  'OTHER',
  'TEXT',
] as const;
const MATCH_KINDS = ['CARTON', 'SHIPMENT', 'ITEM', 'ORDER', 'TICKET', 'PACKAGE', 'PLACE'] as const;
const MATCHES_MAX = 500;
/** Most orders that a hint names. */
export const WANTED_MAX = 50;

const units = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description });

export const CodeScan = named(
  'CodeScan',
  object({
    code: text(1, 500, {
      description:
        'What the scanner sent or a person typed, with symbology identifier and separators if they are there',
    }),
  }),
);

export const ScanMatch = named(
  'ScanMatch',
  object({
    kind: oneOf(MATCH_KINDS, { description: 'What it is' }),
    id: text(1, 200, {
      description: 'Its id: of a carton, item, order, ticket, package or place; of a shipment its number',
    }),
    label: text(1, 400, { description: 'In words, for a list' }),
    state: text(0, 100, { description: 'Where it stands; of an item its status' }),
    allowedActions: list(
      AllowedAction,
      { max: 40 },
      { description: 'What may be done with it, by the rules of its own operations' },
    ),
    storeId: Optional(text(1, 40, { description: 'Web store of an order, ticket or package' })),
    nodeId: Optional(text(1, 40, { description: 'Where another node than that of the path has it' })),
    fulfillmentOrderId: Optional(text(1, 40, { description: 'Order of a package' })),
    pickTicketId: Optional(text(1, 40, { description: 'Open ticket of an order' })),
    trackingNumber: Optional(text(1, 100, { description: 'Tracking number of a package' })),
    holdLocation: Optional(text(1, 40, { description: 'Where the goods of an order lie' })),
    pickLocation: Optional(text(1, 40, { description: 'Where the item lies at the node' })),
    imageUrl: Optional(text(1, 255, { description: 'Picture of an item' })),
    type: Optional(oneOf(['ASN', 'PO', 'BLIND'], { description: 'Of a shipment or carton' })),
    number: Optional(text(1, 40, { description: 'Number of the shipment' })),
    sellerId: Optional(text(0, 40, { description: 'Seller of the shipment; empty: nobody knows it' })),
    holder: Optional(
      object(
        { userId: text(1, 64), since: dateTime({ description: 'Since when' }) },
        { description: 'Who counts a carton: meanwhile nobody takes it whole' },
      ),
    ),
    received: Optional(
      object(
        { receiptId: text(1, 200), userId: text(1, 64), since: dateTime({ description: 'When' }) },
        { description: 'Who took a carton whole' },
      ),
    ),
    wanted: Optional(
      list(
        object({
          itemId: text(1, 128, { description: 'Item' }),
          fulfillmentOrderId: text(1, 40, { description: 'Open order of the node' }),
          storeId: text(1, 40, { description: 'Web store of the order' }),
          quantity: integer(1, 1_000_000, { description: 'Units that are still to be picked' }),
          dueAt: Optional(dateTime({ description: 'When its step is due' })),
        }),
        { max: WANTED_MAX },
        {
          description:
            'Open orders of the node that want the item, or items of the carton, soonest first: a hint, no reservation',
        },
      ),
    ),
    stock: Optional(
      object(
        {
          shelf: units('Units on the shelf'),
          staged: units('Units that were picked or received and wait'),
          damaged: units('Damaged units'),
          held: units('Units that are not decided yet'),
          missing: units('Units that were not found'),
          reserved: units('Units of the shelf that are promised to orders'),
          available: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { description: 'shelf - reserved' }),
          revision: units('Rises with each change of the item at the node'),
        },
        { description: 'Levels of the item, where the node keeps stock and the caller may read it' },
      ),
    ),
    orders: Optional(integer(0, 1_000_000, { description: 'Orders whose goods lie at a place' })),
  }),
);
export type ScanMatch = Static<typeof ScanMatch>;

export const ScanReply = named(
  'ScanReply',
  object({
    code: Type.String({ description: 'The code without control characters and blanks around it' }),
    reads: Type.Array(
      object({
        kind: oneOf(READ_KINDS, { description: 'What this part of the code is' }),
        value: Type.String({ description: 'What the part says' }),
      }),
      {
        description: 'What the code says, as GS1 has it; the last is the whole text',
      },
    ),
    matches: list(
      ref<ScanMatch>('ScanMatch'),
      { max: MATCHES_MAX },
      { description: 'All that the code may mean here' },
    ),
    warnings: Type.Array(
      object({
        code: text(1, 40, {
          description: 'CHECK_DIGIT, AMBIGUOUS, MALFORMED, DUPLICATE_CARTON, ELSEWHERE or TOO_MANY',
        }),
        description: Type.String({ description: 'The same in words' }),
      }),
      { description: 'What somebody should look at; nothing is refused for it' },
    ),
  }),
);

/** Named schemas of the scan, for the document. */
export const scanSchemas = [CodeScan, ScanMatch, ScanReply];
