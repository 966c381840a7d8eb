/** Events of items, of inbound shipments and of stock. */
import { event, id, object, optional, Type, text, units } from './members.ts';

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
