/** Events of items, of inbound shipments and of stock. */
import { event, id, integer, object, oneOf, optional, Type, text, units } from './members.ts';

const changes = {
  changes: Type.Array(
    object({
      path: text(0, 1_000, { description: 'JSON pointer of the field; empty: the whole item' }),
      from: optional(Type.Unknown({ description: 'Value before; not there where the field was added' })),
      to: optional(Type.Unknown({ description: 'Value after; not there where the field was removed' })),
    }),
    { description: 'Each field that changed' },
  ),
};

const signed = () => integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** '' is goods without papers of which nobody knows the seller. */
const ofInbound = { sellerId: text(0, 40), nodeId: id() };
const inboundKey = {
  cartonId: optional(text(1, 64)),
  itemId: id(),
  clientItemId: id('Item as its retailer calls it'),
  lineNumbers: Type.Array(text(0, 64), { description: "The partner's numbers of its lines" }),
};
const bookedLines = Type.Array(
  object({
    ...inboundKey,
    good: signed(),
    damaged: signed(),
    refused: signed(),
    held: signed(),
    reason: optional(text(1, 40, { description: 'Why, as it was said' })),
    to: optional(oneOf(['SHELF', 'STAGE'], { description: 'Where the good units were put' })),
    location: optional(text(1, 40, { description: 'Bin in which they lie' })),
  }),
  { description: 'What was booked, signed; the first 500 lines' },
);
const sums = {
  announced: units(),
  good: units(),
  damaged: units(),
  refused: units(),
  held: units(),
  over: units(),
  short: units(),
};

export const goodsEvents = {
  'item.created': event('An item came into the item master; read it for its fields.', changes),
  'item.updated': event('Fields of an item changed.', changes),
  'item.deleted': event('An item was deleted; the change has the whole item as it was.', changes),
  'inbound.transmitted': event('An ASN or PO was taken in.', {
    sellerId: optional(id()),
    messageId: id(),
    storeId: id(),
    nodeId: id(),
    totalLines: units(),
    totalUnits: units(),
    trailerNumbers: Type.Array(text(1, 25), { description: 'Trailers of the lines, each once; the first 20' }),
    lines: Type.Array(
      object({
        itemId: id(),
        shippedQuantity: units('Units shipped'),
        trailerNumber: text(1, 25, { description: 'Trailer that brings the line' }),
        cartonId: optional(text(1, 64, { description: 'Carton of the line' })),
        lineNumber: optional(text(0, 64, { description: 'Number that the partner gave the line' })),
        shippingComments: optional(text(0, 100, { description: 'What the partner said of the line' })),
      }),
      { description: 'The first 500 lines, as they were transmitted' },
    ),
  }),
  'inbound.arrived': event('The goods of a shipment stand at the door.', {
    ...ofInbound,
    userId: id(),
    at: text(1, 40, { description: 'When, as was said' }),
  }),
  'inbound.received': event('Goods were received; one for each receipt.', {
    ...ofInbound,
    receiptId: id(),
    userId: id(),
    lines: bookedLines,
  }),
  'inbound.corrected': event('A receipt was corrected by another one.', {
    ...ofInbound,
    receiptId: id(),
    userId: id(),
    corrects: id('The receipt that it corrects'),
    lines: bookedLines,
  }),
  'inbound.completed': event('For the first time nothing of a shipment is open.', {
    ...ofInbound,
    announced: units(),
    received: units('Units that arrived, whatever became of them'),
  }),
  'inbound.closed': event('A shipment was closed, and this is what is said of it.', {
    ...ofInbound,
    version: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Each close makes the next' }),
    closeId: id(),
    userId: id(),
    totals: object({ ...sums, open: units('Always 0') }),
    lines: Type.Array(object({ ...inboundKey, ...sums, reasons: Type.Array(text(1, 40)) }), {
      description: 'The first 500 lines of the statement',
    }),
  }),
  'inbound.reopened': event('A closed shipment may be received again.', {
    ...ofInbound,
    userId: id(),
    reason: text(1, 40, { description: 'Why, as it was said' }),
  }),
  'inbound.approved': event('Held units were decided.', {
    ...ofInbound,
    approvalId: id(),
    userId: id(),
    lines: bookedLines,
  }),
  'inbound.matched': event('Goods without papers are now those of an ASN or PO.', {
    ...ofInbound,
    userId: id(),
    matchedTo: object({
      type: oneOf(['ASN', 'PO', 'BLIND'], { description: 'ASN or PO' }),
      number: id('Its number'),
      sellerId: text(0, 40),
    }),
    lines: bookedLines,
  }),
  'inbound.cartonRepeated': event('A carton was scanned that had been received before: two may have one number.', {
    ...ofInbound,
    cartonId: text(1, 64),
    userId: id('Who scanned it now'),
    receiptId: id('Receipt that was rejected'),
    received: object({ receiptId: id(), userId: id(), since: text(1, 40) }, { description: 'Who received it' }),
  }),
  'inbound.voided': event('A wrong ASN or PO was voided; `message` is what had been sent.', {
    sellerId: optional(id()),
    messageId: id(),
    message: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The message as it had been sent',
    }),
  }),
  'stock.changed': event(
    'Stock of a node changed. The levels are absolute: keep those of the highest revision of each item, and what was lost, doubled or out of order does no harm.',
    {
      nodeId: id(),
      items: Type.Array(
        object({
          itemId: id(),
          shelf: units('Units on the shelf'),
          staged: units('Units that were picked or received and wait'),
          damaged: units('Damaged units'),
          held: units('Units that are not decided yet'),
          missing: units('Units that were not found'),
          reserved: units('Units of the shelf that are promised to orders'),
          revision: units('Rises with each change of the item at the node'),
        }),
        { description: 'Each item whose levels changed' },
      ),
    },
  ),
} as const;
