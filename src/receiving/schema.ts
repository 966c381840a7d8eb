/**
 * The inbound message in its canonical, camel-cased form (docs/interface.md#inbound-shipment). `reading.ts` reads other
 * documented spellings into it. Strings without a documented length have a limit of this service
 * (docs/interface.md#inbound-rules).
 */
import { SHIPMENT_STATES } from '../kernel/arrivals/states.ts';
import {
  exact,
  flag,
  identifier,
  integer,
  isoDate,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { QUANTITY_MAX } from '../shared/limits.ts';

export const SHIPMENT_TYPES = ['ASN', 'PO'] as const;
/** An Advance Shipping Notice (cartons) or a Purchase Order (items and quantities). */
export type ShipmentType = (typeof SHIPMENT_TYPES)[number];

/** Maximum number of lines in one message (docs/interface.md#limits-of-a-message). */
export const LINES_MAX = 20_000;
/** Maximum number of extended attributes in one list (docs/interface.md#inbound-rules). */
export const ATTRIBUTES_MAX = 100;

/** Types of shipments. Goods without papers (BLIND) are shipments too, but cannot be transmitted. */
export const INBOUND_TYPES = ['ASN', 'PO', 'BLIND'] as const;
export type InboundType = (typeof INBOUND_TYPES)[number];

const opt = Type.Optional;

/** A name/value pair agreed with the operator; kept as sent. */
const extendedAttribute = named(
  'ExtendedAttribute',
  object({
    name: text(1, 255, { description: 'Name, agreed with the operator' }),
    value: opt(text(0, 4000, { description: 'Value, kept as sent; default: "" (empty)' })),
    description: opt(text(0, 4000, { description: 'Description of the attribute, kept as sent' })),
  }),
);
type ExtendedAttribute = Static<typeof extendedAttribute>;

/** The list is optional: a container without it has no attributes. */
const extendedAttributes = (description: string) =>
  opt(
    object(
      { extendedAttributes: opt(list(ref<ExtendedAttribute>('ExtendedAttribute'), { max: ATTRIBUTES_MAX })) },
      { description },
    ),
  );

const headerMembers = {
  receivingWarehouseId: identifier(5, { description: 'Id of the receiving warehouse, assigned by the operator' }),
  shipmentReceiptDate: isoDate({ description: 'Expected arrival at the warehouse, kept as sent' }),
  orderDate: opt(isoDate({ description: 'Time at which the partner created the order, kept as sent' })),
  shipperName: text(1, 30, { description: 'Warehouse or vendor of the partner' }),
  storeCode: identifier(5, {
    description: 'Code of the store. The code and `sellerId` of the path identify the store',
  }),
  poStatus: opt(text(0, 255, { description: 'Status of the purchase order, kept as sent' })),
  sellerId: opt(text(0, 255, { description: 'Seller, kept as sent. Can differ from the seller in the path' })),
  headerExtendedAttributes: extendedAttributes('Pairs of name and value for the order'),
};

const lineMembers = {
  clientItemId: identifier(15, {
    description: 'Number of the item at the retailer. The itemId is `<catalogId>-<clientItemId>`',
  }),
  // A number token has at most 64 characters, so 64 digits never limit it (docs/decisions/192).
  itemCost: exact(
    { integer: 64, fraction: 64, min: 0, max: 999_999 },
    { description: 'Cost of one unit. The service keeps all digits that you send' },
  ),
  lineNumber: opt(text(0, 64, { description: 'The partner’s number of the line; only repeated in status updates' })),
  receivingWarehouseId: identifier(5, { description: 'The same value as in the header' }),
  shippedQuantity: integer(1, QUANTITY_MAX, { description: 'Units shipped' }),
  shippingComments: opt(text(0, 100)),
  trailerNumber: text(1, 25),
  detailExtendedAttributes: extendedAttributes('Pairs of name and value for the line'),
};

const asnHeader = object({
  asnNumber: identifier(15),
  shipmentNumber: opt(text(0, 15, { description: 'Number of a purchase order, kept as sent. Blank for an ASN' })),
  receivingType: oneOf(['A']),
  ...headerMembers,
});

const asnLine = object({
  asnNumber: identifier(15, { description: 'The same number as in the header' }),
  cartonId: identifier(64, {
    description: 'Number on the label of the carton. Users scan this number when they receive the carton',
  }),
  ...lineMembers,
});

const poHeader = object({
  asnNumber: opt(text(0, 15, { description: 'Blank for a PO, kept as sent' })),
  shipmentNumber: identifier(15, { description: 'Number of the purchase order' }),
  receivingType: oneOf(['P']),
  ...headerMembers,
});

const poLine = object({
  asnNumber: opt(text(0, 15, { description: 'Number of an ASN, kept as sent' })),
  cartonId: opt(text(0, 64, { description: 'Number of a carton, kept as sent' })),
  ...lineMembers,
});

export const inboundAsn = named(
  'InboundAsn',
  object({ header: asnHeader, details: object({ detail: list(asnLine, { min: 1, max: LINES_MAX }) }) }),
);
export const inboundPo = named(
  'InboundPo',
  object({ header: poHeader, details: object({ detail: list(poLine, { min: 1, max: LINES_MAX }) }) }),
);

export type Header = Static<typeof asnHeader> | Static<typeof poHeader>;
export type Line = Static<typeof asnLine> | Static<typeof poLine>;

/** One ASN or one PO, in requests and responses (docs/interface.md#inbound-shipment). */
export const inboundMessage = named(
  'InboundMessage',
  object(
    {
      asnData: opt(list(ref<Static<typeof inboundAsn>>('InboundAsn'), { min: 1, max: 1 })),
      poData: opt(list(ref<Static<typeof inboundPo>>('InboundPo'), { min: 1, max: 1 })),
    },
    {
      description:
        'Send either `asnData` or `poData`, with one shipment. The service also accepts: the same fields under `ReceivingDetail`, names in PascalCase, one object instead of a list with one entry, and extended attributes as a plain list.',
    },
  ),
);

type Part = 'root' | 'shipment' | 'header' | 'details' | 'line' | 'attributes' | 'attribute';

/** Names of fields at each place, in their canonical order. */
export const MEMBERS: Readonly<Record<Part, readonly string[]>> = {
  root: Object.keys(inboundMessage.properties),
  shipment: Object.keys(inboundAsn.properties),
  header: Object.keys(asnHeader.properties),
  details: ['detail'],
  line: Object.keys(asnLine.properties),
  attributes: ['extendedAttributes'],
  attribute: Object.keys(extendedAttribute.properties),
};

/** The 200 response of a transmission (docs/interface.md#transmit-an-asn-or-po). */
export const inboundReceipt = named(
  'InboundTransmitted',
  object(
    {
      poAsnData: list(
        object({
          poAsnNumber: Type.String({ description: 'Number of the ASN or PO' }),
          store_id: Type.String({ description: 'Store with this sellerId and StoreCode' }),
          catalog_id: Type.String({ description: 'Catalog of that store' }),
          successfull_imported: Type.String({ description: 'Number of lines, as a string' }),
          total_errors_encountered: Type.String({ description: 'Always "0"' }),
          file_name: Type.String({ description: 'Id of the stored message (UUID)' }),
          client_id: Type.String(),
          reportedFrom: Type.String({ description: 'Always "BACKROOM"' }),
          errors: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Always an empty list' }),
        }),
        { min: 1, max: 1 },
      ),
    },
    { description: 'A stored ASN or PO' },
  ),
);

const summaryMembers = {
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO: a purchase order, or BLIND: goods without papers' }),
  sellerId: Type.String({ description: 'Seller that transmitted the message. A number is unique per seller and type' }),
  number: Type.String({ description: 'Number of the ASN or PO' }),
  messageId: Type.String({ description: 'Id of the stored message: `file_name` in the response to its transmission' }),
  status: oneOf(SHIPMENT_STATES, {
    description:
      'EXPECTED: nothing was received yet; RECEIVING: receiving has started; CLOSED: the shipment was closed',
  }),
  state: oneOf(SHIPMENT_STATES, { description: 'Other name of `status`' }),
  storeId: opt(Type.String({ description: 'Web store. Absent for goods without papers' })),
  nodeId: Type.String({ description: 'The receiving warehouse' }),
  receivingWarehouseId: Type.String(),
  totalLines: Type.Integer(),
  totalUnits: Type.Integer(),
  trailerNumbers: opt(
    list(text(1, 25), { max: 20 }, { description: 'The first 20 different trailers, in the order of the lines' }),
  ),
  transmittedAt: Type.String({ description: 'Time of the transmission, in UTC' }),
};

/** An inbound shipment in the operator's list. */
export const inboundSummary = named('InboundSummary', object(summaryMembers));

/** The interchange and the partner of a shipment that was announced by EDI. */
export function ediSource() {
  return object(
    {
      interchangeId: text(1, 64, { description: 'Interchange with which the shipment was transmitted' }),
      partnerId: text(1, 30, { description: 'Partner that sent the shipment' }),
    },
    { description: 'Source of the shipment. Present only for shipments that were received by EDI' },
  );
}

/** An inbound shipment with its message, sums and statements. */
export const inboundShipment = named(
  'InboundShipment',
  object({
    ...summaryMembers,
    arrivedAt: opt(Type.String({ description: 'Time at which the shipment arrived at the door, in UTC' })),
    complete: flag({ description: 'true: the shipment has no open units' }),
    sums: ref<unknown>('InboundShipmentSums'),
    statements: list(
      ref<unknown>('InboundStatement'),
      { max: 1_000_000 },
      { description: 'All versions of the statement. Each version is complete' },
    ),
    edi: opt(ediSource()),
    message: opt(ref<Static<typeof inboundMessage>>('InboundMessage')),
  }),
);

/** Named schemas of the slice, for the OpenAPI document. */
export const receivingSchemas = [
  inboundReceipt,
  extendedAttribute,
  inboundAsn,
  inboundPo,
  inboundMessage,
  inboundSummary,
  inboundShipment,
] as const;
