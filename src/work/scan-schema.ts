/** Request and response schemas of the scan of any code. */

import { AllowedAction } from '../kernel/allowed.ts';
import { SHIPMENT_STATES } from '../kernel/arrivals/states.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import {
  dateTime,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  sentence,
  Type,
  text,
} from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';

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
const MATCH_KINDS = ['CARTON', 'SHIPMENT', 'ITEM', 'ORDER', 'TICKET', 'PACKAGE', 'PLACE', 'RETURN'] as const;
const MATCHES_MAX = 500;
/** Maximum number of orders in `wanted`. */
export const WANTED_MAX = 50;
/** Maximum number of tickets in `reverseTickets`. */
export const REVERSE_TICKETS_MAX = 50;

const units = (description: string) => integer(0, Number.MAX_SAFE_INTEGER, { description });

export const CodeScan = named(
  'CodeScan',
  object({
    code: text(1, 500, {
      description: 'The scanned or typed text. It can include a symbology identifier and separators',
    }),
  }),
);

export const ScanMatch = named(
  'ScanMatch',
  object({
    kind: oneOf(MATCH_KINDS, { description: 'Kind of the match' }),
    id: text(1, 200, {
      description: 'Id of the carton, item, order, ticket, package, place or return. For a shipment: its number',
    }),
    label: Type.Unsafe<string | Sentence>(text(1, 400, { description: 'Text of the match for a list' })),
    state: text(0, 100, { description: 'State of the match. For an item: its status' }),
    status: Optional(text(4, 4, { description: 'Status code of an order, or of the order of a package' })),
    fulfillmentType: Optional(oneOf(FULFILLMENT_TYPES, { description: 'Fulfillment type of the order' })),
    allowedActions: list(
      AllowedAction,
      { max: 40 },
      { description: 'Actions on the match. Each action is allowed, or blocked with the reason' },
    ),
    storeId: Optional(text(1, 40, { description: 'Web store of an order, ticket, package or return' })),
    nodeId: Optional(text(1, 40, { description: 'Node of the match. Present only if it is not the node of the path' })),
    fulfillmentOrderId: Optional(text(1, 40, { description: 'Order of a package' })),
    pickTicketId: Optional(text(1, 40, { description: 'Open ticket of an order' })),
    pickTicketType: Optional(
      oneOf(['PICK_TICKET', 'REVERSE_PICK_TICKET'], {
        description: 'Type of a ticket. REVERSE_PICK_TICKET: the goods go back to the shelf',
      }),
    ),
    trackingNumber: Optional(text(1, 100, { description: 'Tracking number of a package' })),
    holdLocation: Optional(
      text(1, 40, { description: 'Hold location of the goods of an order. Absent after the goods have left the node' }),
    ),
    pickLocation: Optional(text(1, 40, { description: 'Pick location of the item at the node' })),
    imageUrl: Optional(text(1, 255, { description: 'Address of a picture of the item' })),
    type: Optional(oneOf(['ASN', 'PO', 'BLIND'], { description: 'Type of the shipment' })),
    number: Optional(text(1, 40, { description: 'Number of the shipment or return' })),
    sellerId: Optional(text(0, 40, { description: 'Seller of the shipment. Empty if the seller is unknown' })),
    shipmentState: Optional(oneOf(SHIPMENT_STATES, { description: 'State of the shipment of a carton' })),
    holder: Optional(
      object(
        {
          userId: text(1, 64, { description: 'Login of the user who counts the carton' }),
          since: dateTime({ description: 'Time at which the count began' }),
        },
        {
          description: 'The user who counts the carton now. Until the count ends, the carton cannot be received whole',
        },
      ),
    ),
    received: Optional(
      object(
        {
          receiptId: text(1, 200, { description: 'Id of the receipt' }),
          userId: text(1, 64, { description: 'Login of the user who received the carton' }),
          since: dateTime({ description: 'Time at which the carton was received' }),
        },
        { description: 'Receipt of the carton. Present only if the carton was received whole' },
      ),
    ),
    wanted: Optional(
      list(
        object({
          itemId: text(1, 128, { description: 'Item' }),
          fulfillmentOrderId: text(1, 40, { description: 'Open order of the node' }),
          storeId: text(1, 40, { description: 'Web store of the order' }),
          quantity: integer(1, 1_000_000, { description: 'Units still to be picked' }),
          dueAt: Optional(dateTime({ description: 'Time at which the step of the order is due' })),
        }),
        { max: WANTED_MAX },
        {
          description:
            'Open orders of the node for the item, or for items of the carton, the earliest due first. A hint, not a reservation',
        },
      ),
    ),
    stock: Optional(
      object(
        {
          shelf: units('Units on the shelf'),
          staged: units('Picked or received units that wait on STAGE'),
          damaged: units('Damaged units'),
          held: units('Units that wait for a decision'),
          missing: units('Units that were not found'),
          reserved: units('Units of the shelf that are promised to orders'),
          available: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
            description: '`shelf` minus `reserved`',
          }),
          revision: units('Increases with each change of the item at the node'),
        },
        {
          description:
            'Levels of the item. Present only if the node keeps stock and the caller has permission to read stock',
        },
      ),
    ),
    orders: Optional(
      integer(0, 1_000_000, {
        description:
          'Number of orders whose goods are at the place, including orders with canceled units that wait to be brought back',
      }),
    ),
    reverseTickets: Optional(
      list(
        object({
          pickTicketId: text(1, 40, { description: 'Open reverse pick ticket' }),
          storeId: text(1, 40, { description: 'Web store of the ticket' }),
          fulfillmentOrderId: text(1, 40, { description: 'Order of the units' }),
        }),
        { max: REVERSE_TICKETS_MAX },
        {
          description:
            'Open reverse pick tickets with units at the place of orders that have no other goods there, for example because they have ended; absent without the permission fulfillment.read',
        },
      ),
    ),
  }),
);
export type ScanMatch = Static<typeof ScanMatch>;

export const ScanReply = named(
  'ScanReply',
  object({
    code: Type.String({ description: 'The code without surrounding control characters and blanks' }),
    reads: Type.Array(
      object({
        kind: oneOf(READ_KINDS, { description: 'Kind of this value' }),
        value: Type.String({ description: 'The value' }),
      }),
      {
        description:
          'Values that the service read from the code by the rules of GS1, in the order of the code. The last entry (kind TEXT) is the whole text. The list is empty if the code has no text',
      },
    ),
    matches: list(
      ref<ScanMatch>('ScanMatch'),
      { max: MATCHES_MAX },
      { description: 'Every object at the node that the code can mean' },
    ),
    warnings: Type.Array(
      object({
        code: text(1, 40, {
          description:
            'Code of the warning: CHECK_DIGIT, AMBIGUOUS, MALFORMED, DUPLICATE_CARTON, ELSEWHERE or TOO_MANY',
        }),
        description: sentence(0, 4_000, { description: 'Text of the warning' }),
      }),
      { description: 'Warnings that a user should check. The service rejects nothing because of a warning' },
    ),
  }),
);

/** Named schemas of the scan, for the OpenAPI document. */
export const scanSchemas = [CodeScan, ScanMatch, ScanReply];
