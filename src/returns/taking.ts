/** Checks the goods of a return at a counter, and finds the order lines that the message names. */
import { findCommand } from '../kernel/commands.ts';
import type { TakenLine } from '../kernel/returns/action.ts';
import { TAKE_SCOPE } from '../kernel/returns/scopes.ts';
import { findReturnSettings } from '../kernel/returns/subject.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { allows, findStore } from '../platform/http/auth.ts';
import { denied } from '../platform/http/errors.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import type { Disposition } from '../shared/return-settings.ts';
import {
  dispositionsOf,
  findNamed,
  itemErrors,
  type NamedLine,
  reasonErrors,
  wantedItems,
  wishErrors,
} from './rules.ts';
import type { TakeMessage } from './schema.ts';
import { say } from './sentences.ts';

type Sent = ValidPart<Pick<TakeMessage, 'storeId' | 'lines' | 'exchangeLines'> & { takeId?: string }>;

/** Checks the goods of a message, and finds its store and order lines. */
export async function checkTaking(ctx: ReadCtx, clientId: string, body: Sent, errors: FieldErrors) {
  const { storeId, lines = [], takeId, exchangeLines } = body;
  const store = storeId === undefined ? undefined : await findStore(ctx.db, clientId, storeId);
  if (storeId !== undefined && store === undefined) {
    errors.add(
      '/storeId',
      'exists',
      say('the client has no store {storeId}; send the storeId of one of its stores', { storeId: quote(storeId) }),
    );
  } else if (storeId !== undefined && !allows(ctx.actor.storeIds, storeId)) {
    throw denied(
      say('you have no access to store {storeId}; send a store that you have access to', { storeId: quote(storeId) }),
    );
  }
  const named = await findNamed(ctx, { clientId, storeId }, lines, errors);
  const key = { clientId, scope: TAKE_SCOPE, commandId: takeId ?? '' };
  // A retry is recognized before its content is checked, because settings may have changed since.
  if (store === undefined || (takeId !== undefined && (await findCommand(ctx.db, key)) !== undefined)) {
    return { store, named, dispositions: lines.map((): Disposition => 'HELD') };
  }
  const { settings } = await findReturnSettings(ctx.db, { clientId, storeId: store.store_id });
  reasonErrors(settings, lines, errors);
  const dispositions = dispositionsOf(settings, lines, errors);
  const items = lines.flatMap((line, index) => namingErrors(line, index, named[index], errors));
  await itemErrors(ctx, clientId, [...items, ...wantedItems(exchangeLines)], errors);
  wishErrors(exchangeLines, mostLines(lines, named), errors);
  return { store, named, dispositions };
}

type Line = NonNullable<Sent['lines']>[number];

/**
 * Returns the maximum number of lines of the return. If a line names an order but no order line, its units can belong
 * to each order line with the item.
 */
function mostLines(lines: readonly Line[], named: readonly (NamedLine | undefined)[]): number {
  const counts = lines.map((line, index) => {
    const of = named[index];
    if (of === undefined || of.line !== undefined) return 1;
    return Math.max(1, of.lines.filter((own) => own.item_id === line?.itemId).length);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Adds an error in each of these cases: the line names neither an item nor an order line; it names an order line
 * without the order; its item is not in the order, or is not the item of the order line. Returns the item to look up if
 * the line names no order.
 */
function namingErrors(line: Line, index: number, named: NamedLine | undefined, errors: FieldErrors) {
  if (line === undefined) return [];
  const { fulfillmentOrderId, webLineId, itemId } = line;
  const place = `/lines/${index}`;
  const isBad = ['fulfillmentOrderId', 'webLineId', 'itemId'].some((name) => errors.isBad(`${place}/${name}`));
  if (isBad) return [];
  if (fulfillmentOrderId === undefined && webLineId !== undefined) {
    errors.add(
      `${place}/fulfillmentOrderId`,
      'required',
      say('webLineId needs its order; send fulfillmentOrderId too'),
    );
    return [];
  }
  if (webLineId === undefined && itemId === undefined) {
    errors.add(
      `${place}/itemId`,
      'required',
      say('the line has neither webLineId nor itemId; send webLineId with fulfillmentOrderId, or itemId'),
    );
    return [];
  }
  if (itemId === undefined) return [];
  if (fulfillmentOrderId === undefined) return [{ pointer: `${place}/itemId`, itemId }];
  if (named === undefined) return [];
  if (named.line !== undefined && named.line.item_id !== itemId) {
    const message = say('line {webLineId} of the order is item {itemId}; send that itemId, or leave it out', {
      webLineId: quote(webLineId!),
      itemId: quote(named.line.item_id),
    });
    errors.add(`${place}/itemId`, 'item', message);
  } else if (!named.lines.some((own) => own.item_id === itemId)) {
    const message = say(
      'order {fulfillmentOrderId} has no item {itemId}; send an item of the order, or leave the order out',
      { fulfillmentOrderId: quote(fulfillmentOrderId), itemId: quote(itemId) },
    );
    errors.add(`${place}/itemId`, 'exists', message);
  }
  return [];
}

/** Returns the lines of a message with their order lines and places. */
export function takenLines(
  lines: TakeMessage['lines'],
  named: readonly (NamedLine | undefined)[],
  dispositions: readonly Disposition[],
): TakenLine[] {
  return lines.map((line, index) => takenLine(line, index, named[index], dispositions[index]!));
}

function takenLine(
  line: TakeMessage['lines'][number],
  index: number,
  named: NamedLine | undefined,
  disposition: Disposition,
): TakenLine {
  const { condition, reason, note, quantity: units } = line;
  return {
    pointer: `/lines/${index}`,
    orderId: named?.order.fulfillment_order_id,
    lineIndex: named?.line?.line_index,
    itemId: named?.line?.item_id ?? line.itemId!,
    units,
    condition,
    disposition,
    reason,
    note,
  };
}
