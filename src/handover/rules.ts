/**
 * Checks the lines of a hand-over or a delivery against the units of the order
 * (docs/interface.md#hand-over-and-delivery). The functions are pure.
 */

import type { HandedUnits } from '../kernel/plan.ts';
import { leftUnits } from '../kernel/units.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import { listed, quote } from '../platform/message/words.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import { say } from './sentences.ts';

/** A line of a message. `handed` is customerPickedQuantity or deliveredQuantity. */
export interface SentLine {
  webLineId: string | undefined;
  itemId?: string | undefined;
  handed: number | undefined;
  canceledQuantity?: number | undefined;
  cancellationReasonCode?: string | undefined;
  backroomPickedQuantity?: number | undefined;
}

export interface SentList {
  /** JSON pointer of the list in the message. */
  at: string;
  /** The name of the field with the handed-over units. */
  handed: string;
  /**
   * Whether this can be a new hand-over. Otherwise only a retry of the same message succeeds, which is not compared with
   * the units and the reasons of now.
   */
  isNew: boolean;
}

const SHOWN_IDS = 20;
const SHOWN_REASONS = 30;

/**
 * Checks the lines. Each line must occur once and have one or both quantities, with a sum of at most the remaining
 * units. Canceled units need a known reason, and at least one line must have units. The result leaves out lines without
 * units.
 */
export function assessLines(
  sent: readonly (SentLine | undefined)[],
  lines: readonly OrderLineRow[],
  list: SentList,
  settings: Settings,
  errors: FieldErrors,
): HandedUnits[] {
  const byId = new Map(lines.map((line) => [line.web_line_id, line]));
  const seen = new Set<string>();
  const counted: HandedUnits[] = [];
  const before = errors.count;
  for (const [index, one] of sent.entries()) {
    const at = `${list.at}/${index}`;
    if (one?.webLineId === undefined) continue;
    const name = JSON.stringify(one.webLineId);
    const line = byId.get(one.webLineId);
    if (line === undefined) {
      errors.add(
        `${at}/webLineId`,
        'unknown',
        say('the order has no line {name}; send one of its lines: {list}', {
          name,
          list: listed([...byId.keys()].map(quote), SHOWN_IDS),
        }),
      );
    } else if (seen.has(one.webLineId)) {
      errors.add(`${at}/webLineId`, 'duplicate', say('line {name} is in the message twice; send it once', { name }));
    } else {
      seen.add(one.webLineId);
      const units = assessLine(one, line, at, list, settings, errors);
      if (units !== undefined && units.handed + units.refused > 0) counted.push(units);
    }
  }
  const isWhole = sent.every((one, index) => isReadable(one) && !isBadLine(`${list.at}/${index}`, list, errors));
  if (counted.length === 0 && errors.count === before && !errors.isBad(list.at) && isWhole) {
    errors.add(
      list.at,
      'nothing',
      say('the lines neither hand over nor cancel a unit; send {handed} or canceledQuantity above 0', {
        handed: list.handed,
      }),
    );
  }
  return counted.sort((a, b) => a.lineIndex - b.lineIndex);
}

function isReadable(one: SentLine | undefined): boolean {
  return one?.webLineId !== undefined && (one.handed ?? one.canceledQuantity) !== undefined;
}

/** Whether the schema rejected one of the quantities. */
function isBadLine(at: string, { handed }: SentList, errors: FieldErrors): boolean {
  return errors.isBad(`${at}/${handed}`) || errors.isBad(`${at}/canceledQuantity`);
}

function assessLine(
  sent: SentLine,
  line: OrderLineRow,
  at: string,
  list: SentList,
  settings: Settings,
  errors: FieldErrors,
): HandedUnits | undefined {
  const { handed: member, isNew } = list;
  const name = say('line {webLineId}', { webLineId: JSON.stringify(line.web_line_id) });
  if (sent.itemId !== undefined && sent.itemId !== line.item_id) {
    const message = say('itemId does not match {name}; send {itemId}', {
      name,
      itemId: JSON.stringify(line.item_id),
    });
    errors.add(`${at}/itemId`, 'mismatch', message);
  }
  const backroom = sent.backroomPickedQuantity;
  if (isNew && backroom !== undefined && backroom !== line.picked) {
    const message = say('backroomPickedQuantity of {name} must be {picked}, the number of its picked units', {
      name,
      picked: line.picked,
    });
    errors.add(`${at}/backroomPickedQuantity`, 'mismatch', message, line.picked);
  }
  const { handed, canceledQuantity: refused } = sent;
  if (handed === undefined && refused === undefined) {
    if (isBadLine(at, list, errors)) return undefined;
    errors.add(
      at,
      'unanswered',
      say('{name} has neither {field} nor canceledQuantity; send one or both', { name, field: member }),
    );
    return undefined;
  }
  const sum = (handed ?? 0) + (refused ?? 0);
  const wanted = leftUnits(line);
  if (isNew && sum > wanted) {
    const message = say(
      '{field} and canceledQuantity of {name} are {sum} together, but only {wanted} {wanted|unit remains|units remain}; lower one of them',
      { field: member, name, sum, wanted },
    );
    errors.add(at, 'maximum', message, wanted);
  }
  const wrong = isNew
    ? reasonError(sent.cancellationReasonCode, refused ?? 0, 'cancellationReasonCode', name, settings)
    : undefined;
  if (wrong !== undefined) errors.add(`${at}/cancellationReasonCode`, wrong.rule, wrong.message, wrong.limit);
  const reason = (refused ?? 0) > 0 ? (sent.cancellationReasonCode ?? null) : null;
  return { lineIndex: line.line_index, handed: handed ?? 0, refused: refused ?? 0, reason };
}

/** Adds an error for a verification method that the client does not have. */
export function checkMethod(method: string | undefined, at: string, settings: Settings, errors: FieldErrors): void {
  if (method === undefined || settings.verificationMethods.includes(method)) return;
  const known = settings.verificationMethods;
  const list = known.slice(0, SHOWN_REASONS).join(', ');
  errors.add(
    at,
    'enum',
    say('verificationMethod must be one of {list}{didYouMean}', { list, didYouMean: didYouMean(method, known) }),
    known,
  );
}

/** Adds an error for PROXY if the order has no proxy. */
export function checkCollector(sent: string | undefined, hasProxy: boolean, at: string, errors: FieldErrors): void {
  if (sent !== 'PROXY' || hasProxy) return;
  const member = at.slice(at.lastIndexOf('/') + 1);
  errors.add(
    at,
    'no-proxy',
    say('the order has no proxy; send CUSTOMER in {field}, or leave {field} out', { field: member }),
  );
}
