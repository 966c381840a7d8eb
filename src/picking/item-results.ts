/** Checks the items of a CONFIRM and fills in their implied values (docs/interface.md#confirm). */
import type { ItemResult } from '../kernel/tickets/rows.ts';
import type { Progress } from '../kernel/tickets/scans.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { PickTicketItemRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import type { PickTicketItemAnswer } from './schema.ts';
import { say } from './sentences.ts';

const LIST = '/pickTicketDetails/pickTicketItems';

/**
 * Adds every error of the sent results. Without the ticket's items (no such ticket, or an unreadable id) it adds only
 * the errors that the message alone shows. Without settings it does not check the reasons. `saved` has the reasons that
 * the ticket has saved for its items.
 */
export function checkResults(
  answers: ValidPart<PickTicketItemAnswer[]> | undefined,
  items: readonly PickTicketItemRow[] | undefined,
  settings: Settings | undefined,
  saved: ReadonlyMap<number, Progress> | undefined,
  errors: FieldErrors,
): void {
  if (answers === undefined) return;
  const byId = new Map(items?.map((item) => [item.id, item]));
  const seen = new Set<number>();
  for (const [index, answer] of answers.entries()) {
    if (answer === undefined) continue;
    const place = `${LIST}/${index}`;
    const { id } = answer;
    const item = id === undefined ? undefined : byId.get(id);
    if (id !== undefined && seen.has(id)) {
      errors.add(`${place}/id`, 'duplicate', say('item {id} is in the message twice; send it once', { id }));
    } else if (id !== undefined && items !== undefined && item === undefined) {
      errors.add(`${place}/id`, 'unknown-item', say('the ticket has no item {id}; remove it', { id }));
    } else {
      checkResult(
        {
          answer,
          item,
          place,
          name: id === undefined ? say('the item') : say('item {id}', { id }),
          saved: id === undefined ? undefined : saved?.get(id)?.reason,
        },
        settings,
        errors,
      );
    }
    if (id !== undefined) seen.add(id);
  }
  // An item with an unreadable number may be any item of the ticket, so in this case no item is reported as missing.
  if (answers.some((answer) => answer?.id === undefined)) return;
  for (const item of items ?? []) {
    if (seen.has(item.id)) continue;
    errors.add(
      LIST,
      'missing-item',
      say('item {id} ({itemId}) is missing; send every item of the ticket', { id: item.id, itemId: item.item_id }),
    );
  }
}

/** A sent result, with its item if the ticket has the item. */
interface SentResult {
  answer: ValidPart<PickTicketItemAnswer>;
  item: PickTicketItemRow | undefined;
  place: string;
  /** The name of the item in messages. */
  name: Sentence;
  /** The reason that the ticket has saved for the item. */
  saved: string | null | undefined;
}

function checkResult(sent: SentResult, settings: Settings | undefined, errors: FieldErrors): void {
  checkIdentity(sent, errors);
  checkQuantities(sent, errors);
  if (settings !== undefined) checkReason(sent, settings, errors);
}

function checkIdentity({ answer: { itemId, itemDetails }, item, place, name }: SentResult, errors: FieldErrors): void {
  if (itemId === undefined) return;
  if (item !== undefined && itemId !== item.item_id) {
    errors.add(
      `${place}/itemId`,
      'mismatch',
      say('itemId does not match {name}; send {itemId}', { name, itemId: item.item_id }),
    );
  }
  const detailed = itemDetails?.itemId;
  if (detailed !== undefined && detailed !== itemId) {
    errors.add(
      `${place}/itemDetails/itemId`,
      'mismatch',
      say('itemId in itemDetails differs from itemId of the item; send the same value in both'),
    );
  }
}

function checkQuantities({ answer, item, place, name }: SentResult, errors: FieldErrors): void {
  const { quantity: said, pickedQuantity: picked, canceledQuantity: canceled } = answer;
  const quantity = item?.quantity ?? said;
  if (said !== undefined && said !== quantity) {
    const message = say('`quantity` of {name} is {quantity} on the ticket; send this value or leave `quantity` out', {
      name,
      quantity,
    });
    errors.add(`${place}/quantity`, 'mismatch', message, quantity);
  }
  if (picked === undefined && canceled === undefined) {
    if (errors.isBad(`${place}/pickedQuantity`) || errors.isBad(`${place}/canceledQuantity`)) return;
    const message = say('{name} has neither pickedQuantity nor canceledQuantity; send one or both', { name });
    errors.add(place, 'unanswered', message);
  } else if (quantity !== undefined) {
    const sum = (picked ?? 0) + (canceled ?? 0);
    const isWhole = picked !== undefined && canceled !== undefined;
    if (isWhole ? sum !== quantity : sum > quantity) {
      const message = isWhole
        ? say(
            'pickedQuantity and canceledQuantity of {name} sum to {sum}, but must sum to its quantity, {quantity}; correct one of them',
            {
              name,
              sum,
              quantity,
            },
          )
        : say(
            'pickedQuantity and canceledQuantity of {name} sum to {sum}, but the ticket has only {quantity} {quantity|unit|units} of the item; lower one of these quantities',
            {
              name,
              quantity,
              sum,
            },
          );
      errors.add(place, 'sum', message, quantity);
    }
  }
}

function checkReason({ answer, item, place, name, saved }: SentResult, settings: Settings, errors: FieldErrors): void {
  // If canceledQuantity is unreadable, the number of canceled units is unknown and counts as 0.
  const isBad = errors.isBad(`${place}/canceledQuantity`);
  const canceled = isBad ? 0 : canceledOf(answer, item?.quantity ?? answer.quantity);
  const found = reasonError(answer.cancellationReasonCode, canceled, 'cancellationReasonCode', name, settings, saved);
  if (found !== undefined) errors.add(`${place}/cancellationReasonCode`, found.rule, found.message, found.limit);
}

function canceledOf(answer: ValidPart<PickTicketItemAnswer>, quantity: number | undefined): number {
  const { pickedQuantity: picked, canceledQuantity: canceled } = answer;
  if (canceled !== undefined) return canceled;
  return picked === undefined || quantity === undefined ? 0 : quantity - picked;
}

/** Returns the results of an error-free CONFIRM, one for each item of the ticket. */
export function readResults(
  answers: readonly PickTicketItemAnswer[],
  items: readonly PickTicketItemRow[],
): ItemResult[] {
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return items.map(({ id, quantity }) => {
    const answer = byId.get(id)!;
    const canceled = canceledOf(answer, quantity);
    return {
      id,
      picked: quantity - canceled,
      canceled,
      reason: canceled === 0 ? null : (answer.cancellationReasonCode ?? null),
    };
  });
}
