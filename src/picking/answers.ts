/** The answers of a CONFIRM, item by item: what is wrong with them, and what they say once implied values are filled in (decision 27). */
import { type Fault, faultsOf } from '../http/validate.ts';
import type { PickTicketItemRow } from '../storage/tables.ts';
import { findReason, type Settings } from '../values.ts';
import type { PickTicketItemAnswer } from './schema.ts';

/** What was found of one item: picked + canceled is its quantity. */
export interface Answer {
  id: number;
  picked: number;
  canceled: number;
  /** Why units were canceled; null where none were. */
  reason: string | null;
}

const LIST = '/pickTicketDetails/pickTicketItems';
const SHOWN_REASONS = 30;

/** Every fault of the answers. Without the ticket's items (no such ticket) only what the message alone shows. */
export function answerFaults(
  answers: readonly PickTicketItemAnswer[],
  items: readonly PickTicketItemRow[] | undefined,
  settings: Settings,
): Fault[] {
  const byId = new Map(items?.map((item) => [item.id, item]));
  const seen = new Set<number>();
  const faults = answers.flatMap((answer, index) => {
    const place = `${LIST}/${index}`;
    const item = byId.get(answer.id);
    const isRepeated = seen.has(answer.id);
    seen.add(answer.id);
    if (isRepeated) return [faultsOf(`${place}/id`, 'duplicate', `item ${answer.id} stands twice; answer for it once`)];
    if (items !== undefined && item === undefined) {
      return [faultsOf(`${place}/id`, 'unknown-item', `the ticket has no item ${answer.id}; remove it`)];
    }
    return [
      ...identityFaults(answer, item, place),
      ...quantityFaults(answer, item, place),
      ...reasonFaults(answer, item, place, settings),
    ];
  });
  const missing = (items ?? []).filter((item) => !seen.has(item.id));
  return [
    ...faults,
    ...missing.map((item) =>
      faultsOf(LIST, 'missing-item', `item ${item.id} (${item.item_id}) is missing; answer for every item`),
    ),
  ];
}

function identityFaults(answer: PickTicketItemAnswer, item: PickTicketItemRow | undefined, place: string): Fault[] {
  const faults: Fault[] = [];
  if (item !== undefined && answer.itemId !== item.item_id) {
    const message = `item ${answer.id} of the ticket is ${item.item_id}; send its itemId`;
    faults.push(faultsOf(`${place}/itemId`, 'mismatch', message));
  }
  const detailed = answer.itemDetails?.itemId;
  if (detailed !== undefined && detailed !== answer.itemId) {
    faults.push(
      faultsOf(`${place}/itemDetails/itemId`, 'mismatch', 'differs from itemId; send the same value in both'),
    );
  }
  return faults;
}

function quantityFaults(answer: PickTicketItemAnswer, item: PickTicketItemRow | undefined, place: string): Fault[] {
  const { quantity: said, pickedQuantity: picked, canceledQuantity: canceled } = answer;
  const quantity = item?.quantity ?? said;
  const faults: Fault[] = [];
  if (said !== undefined && said !== quantity) {
    const message = `quantity of item ${answer.id} is ${quantity} on the ticket; send that or leave it out`;
    faults.push(faultsOf(`${place}/quantity`, 'mismatch', message, quantity));
  }
  if (picked === undefined && canceled === undefined) {
    const message = `item ${answer.id} has neither pickedQuantity nor canceledQuantity; send one or both`;
    faults.push(faultsOf(place, 'unanswered', message));
  } else if (quantity !== undefined) {
    const sum = (picked ?? 0) + (canceled ?? 0);
    const isWhole = picked !== undefined && canceled !== undefined;
    if (isWhole ? sum !== quantity : sum > quantity) {
      const message = isWhole
        ? `pickedQuantity and canceledQuantity of item ${answer.id} sum to ${sum}; they must sum to its quantity ${quantity}`
        : `item ${answer.id} has ${quantity} units to answer for, not ${sum}`;
      faults.push(faultsOf(place, 'sum', message, quantity));
    }
  }
  return faults;
}

function reasonFaults(
  answer: PickTicketItemAnswer,
  item: PickTicketItemRow | undefined,
  place: string,
  settings: Settings,
): Fault[] {
  const canceled = canceledOf(answer, item?.quantity ?? answer.quantity);
  if (canceled <= 0) return [];
  const code = answer.cancellationReasonCode ?? '';
  if (code !== '' && findReason(settings, code) !== undefined) return [];
  const known = settings.cancelReasons.map((reason) => reason.code);
  const list = known.slice(0, SHOWN_REASONS).join(', ') + (known.length > SHOWN_REASONS ? ', ...' : '');
  const fault =
    code === ''
      ? `cancellationReasonCode is required where units are canceled (item ${answer.id}); send one of ${list}`
      : `cancellationReasonCode ${JSON.stringify(code)} of item ${answer.id} is not known; send one of ${list}`;
  return [faultsOf(`${place}/cancellationReasonCode`, code === '' ? 'required' : 'reason', fault)];
}

function canceledOf(answer: PickTicketItemAnswer, quantity: number | undefined): number {
  const { pickedQuantity: picked, canceledQuantity: canceled } = answer;
  if (canceled !== undefined) return canceled;
  return picked === undefined || quantity === undefined ? 0 : quantity - picked;
}

/** What faultless answers say, by item number. */
export function readAnswers(answers: readonly PickTicketItemAnswer[], items: readonly PickTicketItemRow[]): Answer[] {
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
