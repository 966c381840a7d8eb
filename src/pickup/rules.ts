/** What a hand-over or a delivery says of an order's lines, held against their units (docs/decisions/109). Pure. */

import type { HandedUnits } from '../kernel/plan.ts';
import { leftUnits } from '../kernel/units.ts';
import type { FieldErrors } from '../message/field-errors.ts';
import { didYouMean } from '../message/nearest.ts';
import { reasonFault } from '../orders/reasons.ts';
import type { OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';

/** A line of a message, whatever the member is called that says how many units went. */
export interface SentLine {
  webLineId: string | undefined;
  itemId?: string | undefined;
  handed: number | undefined;
  canceledQuantity?: number | undefined;
  cancellationReasonCode?: string | undefined;
  backroomPickedQuantity?: number | undefined;
}

export interface Spoken {
  /** Pointer of the list. */
  at: string;
  /** Name of the member that says how many units went. */
  handed: string;
  /** Whether the order's state lets units go; else the message can only be the same again. */
  isOpen: boolean;
}

const SHOWN_IDS = 20;
const SHOWN_REASONS = 30;

/**
 * Judges the lines: each once, one or both quantities set, handed over and canceled at most what is still wanted, a known
 * reason for canceled units, and units for anything at all. Lines without any unit are left out of the answer.
 */
export function assessLines(
  sent: readonly (SentLine | undefined)[],
  lines: readonly OrderLineRow[],
  spoken: Spoken,
  settings: Settings,
  faults: FieldErrors,
): HandedUnits[] {
  const byId = new Map(lines.map((line) => [line.web_line_id, line]));
  const seen = new Set<string>();
  const answers: HandedUnits[] = [];
  const before = faults.count;
  for (const [index, one] of sent.entries()) {
    const at = `${spoken.at}/${index}`;
    if (one?.webLineId === undefined) continue;
    const name = JSON.stringify(one.webLineId);
    const line = byId.get(one.webLineId);
    if (line === undefined) {
      faults.add(`${at}/webLineId`, 'unknown', `the order has no line ${name}; its lines are ${listed(byId.keys())}`);
    } else if (seen.has(one.webLineId)) {
      faults.add(`${at}/webLineId`, 'duplicate', `line ${name} stands twice; list it once`);
    } else {
      seen.add(one.webLineId);
      const answer = assessLine(one, line, at, spoken, settings, faults);
      if (answer !== undefined && answer.handed + answer.refused > 0) answers.push(answer);
    }
  }
  const isWhole = sent.every((one, index) => isHeard(one) && !isBadLine(`${spoken.at}/${index}`, spoken, faults));
  if (answers.length === 0 && faults.count === before && !faults.isBad(spoken.at) && isWhole) {
    faults.add(spoken.at, 'nothing', `no unit is handed over or canceled; send ${spoken.handed} or canceledQuantity`);
  }
  return answers.sort((a, b) => a.lineIndex - b.lineIndex);
}

function isHeard(one: SentLine | undefined): boolean {
  return one?.webLineId !== undefined && (one.handed ?? one.canceledQuantity) !== undefined;
}

/** Whether the form of one of its quantities is wrong. */
function isBadLine(at: string, { handed }: Spoken, faults: FieldErrors): boolean {
  return faults.isBad(`${at}/${handed}`) || faults.isBad(`${at}/canceledQuantity`);
}

function assessLine(
  sent: SentLine,
  line: OrderLineRow,
  at: string,
  spoken: Spoken,
  settings: Settings,
  faults: FieldErrors,
): HandedUnits | undefined {
  const { handed: member, isOpen } = spoken;
  const name = `line ${JSON.stringify(line.web_line_id)}`;
  if (sent.itemId !== undefined && sent.itemId !== line.item_id) {
    const wish = `itemId is not that of ${name}, which is ${JSON.stringify(line.item_id)}`;
    faults.add(`${at}/itemId`, 'mismatch', wish);
  }
  const backroom = sent.backroomPickedQuantity;
  if (isOpen && backroom !== undefined && backroom !== line.picked) {
    const wish = `backroomPickedQuantity of ${name} must be what was picked for it, ${line.picked}`;
    faults.add(`${at}/backroomPickedQuantity`, 'mismatch', wish, line.picked);
  }
  const { handed, canceledQuantity: refused } = sent;
  if (handed === undefined && refused === undefined) {
    if (isBadLine(at, spoken, faults)) return undefined;
    faults.add(at, 'unanswered', `${name} has neither ${member} nor canceledQuantity; send one or both`);
    return undefined;
  }
  const sum = (handed ?? 0) + (refused ?? 0);
  const wanted = leftUnits(line);
  if (isOpen && sum > wanted) {
    const wish = `${member} and canceledQuantity of ${name} are ${sum} together; ${wanted} of its units are still wanted`;
    faults.add(at, 'maximum', wish, wanted);
  }
  const wrong = reasonFault(sent.cancellationReasonCode, refused ?? 0, 'cancellationReasonCode', name, settings);
  if (wrong !== undefined) faults.add(`${at}/cancellationReasonCode`, wrong.rule, wrong.message, wrong.limit);
  const reason = (refused ?? 0) > 0 ? (sent.cancellationReasonCode ?? null) : null;
  return { lineIndex: line.line_index, handed: handed ?? 0, refused: refused ?? 0, reason };
}

/** The way in which the person was verified must be one of the client's. */
export function checkMethod(method: string | undefined, at: string, settings: Settings, faults: FieldErrors): void {
  if (method === undefined || settings.verificationMethods.includes(method)) return;
  const known = settings.verificationMethods;
  const list = known.slice(0, SHOWN_REASONS).join(', ');
  faults.add(at, 'enum', `verificationMethod must be one of ${list}${didYouMean(method, known)}`, known);
}

/** PROXY only where the order names one. */
export function checkCollector(said: string | undefined, hasProxy: boolean, at: string, faults: FieldErrors): void {
  if (said !== 'PROXY' || hasProxy) return;
  const member = at.slice(at.lastIndexOf('/') + 1);
  faults.add(at, 'no-proxy', `the order names no proxy, so ${member} can only be CUSTOMER`);
}

function listed(ids: Iterable<string>): string {
  const all = [...ids].map((one) => JSON.stringify(one));
  return all.slice(0, SHOWN_IDS).join(', ') + (all.length > SHOWN_IDS ? ', ...' : '');
}
