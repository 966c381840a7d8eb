/** The answers of a CONFIRM, item by item: what is wrong with them, and what they say once implied values are filled in (docs/interface.md#confirm). */
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { PickTicketItemRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import type { PickTicketItemAnswer } from './schema.ts';

/** What was found of one item: picked + canceled is its quantity. */
export interface ItemResult {
  id: number;
  picked: number;
  canceled: number;
  /** Why units were canceled; null where none were. */
  reason: string | null;
}

const LIST = '/pickTicketDetails/pickTicketItems';

/**
 * Finds every error of the answers. Without the ticket's items (no such ticket, or its id is not readable) only what the
 * message alone shows.
 */
export function checkResults(
  answers: ValidPart<PickTicketItemAnswer[]> | undefined,
  items: readonly PickTicketItemRow[] | undefined,
  settings: Settings,
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
      errors.add(`${place}/id`, 'duplicate', `item ${id} stands twice; answer for it once`);
    } else if (id !== undefined && items !== undefined && item === undefined) {
      errors.add(`${place}/id`, 'unknown-item', `the ticket has no item ${id}; remove it`);
    } else {
      checkResult({ answer, item, place, name: id === undefined ? 'the item' : `item ${id}` }, settings, errors);
    }
    if (id !== undefined) seen.add(id);
  }
  // An answer whose number is not readable may be the one that seems to be missing.
  if (answers.some((answer) => answer?.id === undefined)) return;
  for (const item of items ?? []) {
    if (seen.has(item.id)) continue;
    errors.add(LIST, 'missing-item', `item ${item.id} (${item.item_id}) is missing; answer for every item`);
  }
}

/** One answer, and the item of the ticket that it is for, where that is known. */
interface SentResult {
  answer: ValidPart<PickTicketItemAnswer>;
  item: PickTicketItemRow | undefined;
  place: string;
  /** How messages name the item. */
  name: string;
}

function checkResult(sent: SentResult, settings: Settings, errors: FieldErrors): void {
  checkIdentity(sent, errors);
  checkQuantities(sent, errors);
  checkReason(sent, settings, errors);
}

function checkIdentity({ answer: { itemId, itemDetails }, item, place, name }: SentResult, errors: FieldErrors): void {
  if (itemId === undefined) return;
  if (item !== undefined && itemId !== item.item_id) {
    errors.add(`${place}/itemId`, 'mismatch', `${name} of the ticket is ${item.item_id}; send its itemId`);
  }
  const detailed = itemDetails?.itemId;
  if (detailed !== undefined && detailed !== itemId) {
    errors.add(`${place}/itemDetails/itemId`, 'mismatch', 'differs from itemId; send the same value in both');
  }
}

function checkQuantities({ answer, item, place, name }: SentResult, errors: FieldErrors): void {
  const { quantity: said, pickedQuantity: picked, canceledQuantity: canceled } = answer;
  const quantity = item?.quantity ?? said;
  if (said !== undefined && said !== quantity) {
    const message = `quantity of ${name} is ${quantity} on the ticket; send that or leave it out`;
    errors.add(`${place}/quantity`, 'mismatch', message, quantity);
  }
  if (picked === undefined && canceled === undefined) {
    if (errors.isBad(`${place}/pickedQuantity`) || errors.isBad(`${place}/canceledQuantity`)) return;
    const message = `${name} has neither pickedQuantity nor canceledQuantity; send one or both`;
    errors.add(place, 'unanswered', message);
  } else if (quantity !== undefined) {
    const sum = (picked ?? 0) + (canceled ?? 0);
    const isWhole = picked !== undefined && canceled !== undefined;
    if (isWhole ? sum !== quantity : sum > quantity) {
      const message = isWhole
        ? `pickedQuantity and canceledQuantity of ${name} sum to ${sum}; they must sum to its quantity ${quantity}`
        : `${name} has ${quantity} units to answer for, not ${sum}`;
      errors.add(place, 'sum', message, quantity);
    }
  }
}

function checkReason({ answer, item, place, name }: SentResult, settings: Settings, errors: FieldErrors): void {
  // How many units are canceled is not known where the quantity is not readable.
  const isBad = errors.isBad(`${place}/canceledQuantity`);
  const canceled = isBad ? 0 : canceledOf(answer, item?.quantity ?? answer.quantity);
  const found = reasonError(answer.cancellationReasonCode, canceled, 'cancellationReasonCode', name, settings);
  if (found !== undefined) errors.add(`${place}/cancellationReasonCode`, found.rule, found.message, found.limit);
}

function canceledOf(answer: ValidPart<PickTicketItemAnswer>, quantity: number | undefined): number {
  const { pickedQuantity: picked, canceledQuantity: canceled } = answer;
  if (canceled !== undefined) return canceled;
  return picked === undefined || quantity === undefined ? 0 : quantity - picked;
}

/** What correct answers say, by item number. */
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
