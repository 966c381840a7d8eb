/** Rejections of operations on returns. A message names the obstacle and, if there is one, the next step. */
import { badRequest, Refusal } from '../../platform/http/errors.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import type { Sentence } from '../../platform/message/sentence.ts';
import type { ReturnRow } from '../../platform/storage/tables.ts';
import { belowZeroRefusal } from '../below-zero.ts';
import type { ActionOf, Plan } from './action.ts';
import { say } from './sentences.ts';
import { type ReturnAction, returnBlock } from './states.ts';

export function rejected(rejection: Refusal): Plan {
  return { outcome: 'rejected', rejection };
}

/** Returns the 409 NOT_OPEN if the state of the return forbids the action, otherwise undefined. */
export function blocked(row: ReturnRow, action: ReturnAction): Refusal | undefined {
  const reason = returnBlock(row.status, action);
  if (reason === undefined) return undefined;
  const words = say('Nothing was changed in return {number} ({status}): {reason}.', {
    number: JSON.stringify(row.number),
    status: row.status,
    reason,
  });
  return new Refusal(409, 'STATE', 'NOT_OPEN', words, { extra: { state: row.status } });
}

/** Returns the 409 for a return that must be received at another node. */
export function wrongNode(row: Pick<ReturnRow, 'number'>, nodeId: string, nodeIds: readonly string[]): Refusal {
  const words = say(
    'Return {number} must be received at node {nodeIds}, not at {nodeId}; nothing was changed. Send the request for node {nodeIds}.',
    {
      number: JSON.stringify(row.number),
      nodeId: JSON.stringify(nodeId),
      nodeIds: nodeIds.map((id) => JSON.stringify(id)).join(', '),
    },
  );
  return new Refusal(409, 'STATE', 'WRONG_NODE', words, { extra: { nodeIds } });
}

/** A line of a receipt with more units than the return expects (`open`). */
export interface Unannounced {
  pointer: string;
  position?: number | undefined;
  itemId: string;
  quantity: number;
  open: number;
}

/** Returns the 409 with all lines of the receipt that have more units than the return expects. */
export function unannounced(row: Pick<ReturnRow, 'number'>, lines: readonly Unannounced[]): Refusal {
  const refusals = lines.map((line) => ({
    ...line,
    code: 'UNANNOUNCED',
    description: say('The return expects {open} {open|unit|units} of item {itemId} at this node, not {quantity}.', {
      open: line.open,
      itemId: JSON.stringify(line.itemId),
      quantity: line.quantity,
    }),
  }));
  const more =
    lines.length === 1
      ? ''
      : say(' `refusals` lists {n} more {n|line|lines} with too many units.', { n: lines.length - 1 });
  const words = say(
    '{description}{more} Nothing was changed. Count the units of return {number} again, or send the receipt with over: true.',
    { description: refusals[0]!.description, more, number: JSON.stringify(row.number) },
  );
  return new Refusal(409, 'STATE', 'UNANNOUNCED', words, { extra: { refusals } });
}

/** Units of a line of the message that exceed a limit. */
export interface TooMany {
  pointer: string;
  units: number;
  limit: number;
  /** The place of the units, as a phrase for messages. */
  where: Sentence;
}

/** Returns the 400 BELOW_ZERO with all errors, or undefined if there are none. */
export function belowZero(lines: readonly TooMany[]): Refusal | undefined {
  const errors = lines.map(({ pointer, units, limit, where }): FieldError => {
    const message = say(
      'the request takes {units} {units|unit|units} of {where}, which has only {limit}; take at most {limit}',
      {
        units,
        where,
        limit,
      },
    );
    return fieldError(pointer, 'BELOW_ZERO', message, limit);
  });
  return errors.length === 0 ? undefined : belowZeroRefusal(errors);
}

/** Returns the 400 with all errors that the plan found in the message, or undefined if there are none. */
export function badLines(errors: readonly FieldError[]): Refusal | undefined {
  return errors.length === 0 ? undefined : badRequest(errors);
}

/** Returns the 403 for a user who booked a receipt of the return and therefore cannot make its refunds due. */
export function fourEyes(
  row: Pick<ReturnRow, 'number'>,
  { type, userId }: ActionOf<'close'> | ActionOf<'match'> | ActionOf<'dispose'>,
  limit: string,
): Refusal {
  const values = { userId, number: JSON.stringify(row.number), limit };
  const words =
    type === 'close'
      ? say(
          '{userId} booked a receipt of return {number}, and the refunds of the return sum to more than {limit}; another user must close the return.',
          values,
        )
      : type === 'match'
        ? say(
            '{userId} booked a receipt of return {number}, and the refunds of the return would sum to more than {limit}; another user must match the units.',
            values,
          )
        : say(
            '{userId} booked a receipt of return {number}, and the refunds of the return would sum to more than {limit}; another user must decide on the units.',
            values,
          );
  return new Refusal(403, 'SECURITY', 'FOUR_EYES', words);
}
