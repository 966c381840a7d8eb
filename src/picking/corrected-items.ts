/** Checks the items of a correction and fills in their implied values. */
import type { ItemResult } from '../kernel/tickets/rows.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { PickTicketItemRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import { say } from './sentences.ts';
import type { PickTicketCorrection } from './ticket-schema.ts';

type SentItem = PickTicketCorrection['pickTicketItems'][number];

/** Adds every error of the items of a correction. Without `settings`, the reasons are not checked. */
export function checkCorrection(
  sent: readonly (ValidPart<SentItem> | undefined)[],
  items: readonly PickTicketItemRow[] | undefined,
  settings: Settings | undefined,
  errors: FieldErrors,
): void {
  const seen = new Set<number>();
  for (const [index, one] of sent.entries()) {
    if (one?.id === undefined) continue;
    const place = `/pickTicketItems/${index}`;
    const item = items?.find(({ id }) => id === one.id);
    if (seen.has(one.id))
      errors.add(`${place}/id`, 'duplicate', say('item {id} is in the message twice; send it once', { id: one.id }));
    else if (items !== undefined && item === undefined) {
      errors.add(
        `${place}/id`,
        'exists',
        say('the ticket has no item {id}; send one of its items, 1 to {count}', { id: one.id, count: items.length }),
      );
    } else if (item !== undefined) checkItem(one, item, place, settings, errors);
    seen.add(one.id);
  }
}

function checkItem(
  one: ValidPart<SentItem>,
  item: PickTicketItemRow,
  place: string,
  settings: Settings | undefined,
  errors: FieldErrors,
): void {
  const { pickedQuantity: picked, canceledQuantity: canceled } = one;
  const name = say('item {id}', { id: item.id });
  if (picked === undefined) return;
  if (picked > item.quantity) {
    const message = say(
      'pickedQuantity of {name} is {picked}, but the ticket has {quantity} {quantity|unit|units} of the item; send at most {quantity}',
      {
        name,
        picked,
        quantity: item.quantity,
      },
    );
    errors.add(`${place}/pickedQuantity`, 'maximum', message, item.quantity);
  } else if (canceled !== undefined && picked + canceled !== item.quantity) {
    const message = say(
      'pickedQuantity and canceledQuantity of {name} sum to {n}, but must sum to its quantity, {quantity}; correct one of them',
      { name, n: picked + canceled, quantity: item.quantity },
    );
    errors.add(place, 'sum', message, item.quantity);
  }
  if (settings === undefined) return;
  const code = one.cancellationReasonCode ?? item.reason ?? undefined;
  const wrong = reasonError(code, item.quantity - picked, 'cancellationReasonCode', name, settings);
  // The reason of the CONFIRM remains valid even if the client has removed it since.
  if (wrong === undefined || (one.cancellationReasonCode === undefined && item.reason !== null)) return;
  errors.add(`${place}/cancellationReasonCode`, wrong.rule, wrong.message, wrong.limit);
}

/** Returns the results of the items in a correction. */
export function readCorrection(items: readonly PickTicketItemRow[], sent: readonly SentItem[]): ItemResult[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return sent.map(({ id, pickedQuantity: picked, cancellationReasonCode: code }) => {
    const item = byId.get(id)!;
    const canceled = item.quantity - picked;
    return { id, picked, canceled, reason: canceled === 0 ? null : (code ?? item.reason) };
  });
}
