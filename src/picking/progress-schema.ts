/**
 * Request and response schemas of the saved progress of a pick ticket
 * (docs/interface.md#operations-of-the-same-family).
 */
import { allowedActions } from '../kernel/allowed.ts';
import { ITEMS_MAX } from '../kernel/tickets/generate.ts';
import { dateTime, identifier, integer, list, named, object, oneOf, Type, text } from '../platform/schema.ts';
import { login } from '../shared/shapes.ts';
import { units } from './shapes.ts';

const { Optional } = Type;

export const STATUSES = ['NEW', 'IN_PROGRESS', 'CLOSED'] as const;
/** Maximum number of scans in one message. */
const SCANS_MAX = 500;

const Scan = object({
  scanId: identifier(64, { description: 'Your id for this scan. If you send the id again, nothing changes' }),
  id: Optional(integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket. Send either `id` or `code`' })),
  code: Optional(
    identifier(255, {
      description: 'Scanned UPC in any length of GTIN, or the itemId or clientItemId. Send either `id` or `code`',
    }),
  ),
  pickedQuantity: Optional(units(0, 'Units found with this scan; default 1, or 0 with canceledQuantity')),
  canceledQuantity: Optional(units(0, 'Units found missing or broken')),
  cancellationReasonCode: Optional(text(0, 40, { description: 'Required if canceledQuantity is above 0' })),
  at: Optional(
    dateTime({
      description: 'Time at which the unit was scanned; default: now. A wrong clock of the device causes no error',
    }),
  ),
  undoes: Optional(
    identifier(64, { description: 'scanId of the scan that this scan undoes. Send no quantities in such a scan' }),
  ),
});

export const PickProgress = named(
  'PickProgress',
  object({
    userId: login('Login of the user who picks; must be the user of the ticket'),
    scans: list(Scan, { min: 1, max: SCANS_MAX }, { description: 'Scans, in the order in which they were made' }),
  }),
);

export const PickProgressReply = named(
  'PickProgressReply',
  object({
    pickTicketId: text(1, 40),
    status: oneOf(STATUSES, { description: 'Status of the ticket' }),
    saved: integer(0, SCANS_MAX, { description: 'Number of new scans' }),
    repeated: integer(0, SCANS_MAX, { description: 'Number of scans that were already saved' }),
    leaseUntil: dateTime(),
    pickTicketItems: list(
      object({
        id: integer(1, ITEMS_MAX, { description: 'Number of the item on the ticket' }),
        itemId: text(1, 40),
        quantity: units(1, 'Units to pick'),
        pickedQuantity: units(0, 'Units found so far'),
        canceledQuantity: units(0, 'Units declined so far'),
        cancellationReasonCode: Optional(
          text(1, 40, {
            description: 'Latest reason of the declined units. Present only if canceledQuantity is above 0',
          }),
        ),
      }),
      { min: 1, max: ITEMS_MAX },
    ),
    allowedActions,
  }),
);
