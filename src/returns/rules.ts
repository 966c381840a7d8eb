/** Rules of messages about returns that a schema cannot express. */
import { findDeletedItem, findItemIds, findItems } from '../items/find.ts';
import { findLines, findOrders } from '../kernel/orders.ts';
import type { ExchangeWish } from '../kernel/returns/action.ts';
import { type Actor, type Ctx, isWithout, type ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { denied } from '../platform/http/errors.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { listed, quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Disposition, ReturnSettings } from '../shared/return-settings.ts';
import type { ContactFilter } from '../shared/shapes.ts';
import { say } from './sentences.ts';

/** Maximum number of codes in an error message. */
const CODES_SHOWN = 10;

/** Whether a caller has the permissions of a lead. */
export function isLead(actor: Actor): boolean {
  if (actor.kind === 'client') return actor.groups?.includes('supervise') === true;
  return !isWithout(actor, 'supervise');
}

/** @throws Refusal 403 if a caller who is not a lead sends `overrideReason`. */
export function mustLead(actor: Actor, overrideReason: string | undefined): void {
  if (overrideReason === undefined || isLead(actor)) return;
  const what = actor.kind === 'client' ? say('a key of the group `supervise`') : say('the permission `supervise`');
  throw denied(say('overrideReason needs {what}; leave it out, or ask a lead', { what }));
}

/** Groups of keys with access to orders. */
const READS_ORDERS: readonly string[] = ['fulfillment', 'intake', 'supervise'];

/** Whether a caller has access to an order, and therefore sees the name of the customer in responses about returns. */
export function seesCustomer(actor: Actor, order: Pick<FulfillmentOrderRow, 'node_id'>): boolean {
  if (!allows(actor.nodeIds, order.node_id)) return false;
  if (actor.kind === 'client') return actor.groups?.some((group) => READS_ORDERS.includes(group)) === true;
  return !isWithout(actor, 'fulfillment.read') || !isWithout(actor, 'orders.change');
}

/** @throws Refusal 403 if the caller has no permission to search orders by customer. */
export function mustSearchOrders(actor: Actor, customer: ContactFilter | undefined): void {
  if (customer === undefined) return;
  const isKey = actor.kind === 'client';
  const may = isKey ? actor.groups?.includes('fulfillment') === true : !isWithout(actor, 'fulfillment.read');
  if (may) return;
  const what = isKey ? say('a key of the group `fulfillment`') : say('the permission `fulfillment.read`');
  throw denied(say('a search by `customer` needs {what}; search by a number instead', { what }));
}

/** An order line that a message names. */
export interface NamedLine {
  order: FulfillmentOrderRow;
  lines: readonly OrderLineRow[];
  /** The order line. Undefined if the message names only the order. */
  line: OrderLineRow | undefined;
}

interface Naming {
  fulfillmentOrderId?: string | undefined;
  webLineId?: string | undefined;
}

/**
 * Finds the order lines of a message. Adds an error for an order or line that does not exist, and for an order of
 * another store to which the caller has no access.
 */
export async function findNamed(
  ctx: ReadCtx,
  of: { clientId: string; storeId: string | undefined },
  lines: readonly (Naming | undefined)[],
  errors: FieldErrors,
): Promise<(NamedLine | undefined)[]> {
  const ids = [...new Set(lines.flatMap((line) => line?.fulfillmentOrderId ?? []))];
  if (ids.length === 0) return lines.map(() => undefined);
  const rows = await findOrders(ctx, of.clientId, ids);
  const seen = rows.filter((row) => row.store_id === of.storeId || allows(ctx.actor.storeIds, row.store_id));
  const orders = new Map(seen.map((row) => [row.fulfillment_order_id, row]));
  const all = Map.groupBy(await findLines(ctx, of.clientId, [...orders.keys()]), (line) => line.fulfillment_order_id);
  const byWebLine = new Map([...all].map(([id, own]) => [id, new Map(own.map((line) => [line.web_line_id, line]))]));
  return lines.map((line, index): NamedLine | undefined => {
    const { fulfillmentOrderId: id, webLineId } = line ?? {};
    if (id === undefined) return undefined;
    const order = orders.get(id);
    if (order === undefined) {
      const message = say('there is no order {id}; send the fulfillmentOrderId of an order of the client', {
        id: quote(id),
      });
      errors.add(`/lines/${index}/fulfillmentOrderId`, 'exists', message);
      return undefined;
    }
    const own = all.get(id) ?? [];
    if (webLineId === undefined) return { order, lines: own, line: undefined };
    const found = byWebLine.get(id)?.get(webLineId);
    if (found !== undefined) return { order, lines: own, line: found };
    const message = say('order {id} has no line {webLineId}; send a webLineId of the order', {
      id: quote(id),
      webLineId: quote(webLineId),
    });
    errors.add(`/lines/${index}/webLineId`, 'exists', message);
    return undefined;
  });
}

/**
 * Adds errors for reasons that the client's list does not have, and for missing notes of reasons that require a note.
 */
export function reasonErrors(
  { reasons }: ReturnSettings,
  lines: readonly ({ reason?: string | undefined; note?: string | undefined } | undefined)[],
  errors: FieldErrors,
): void {
  for (const [index, line] of lines.entries()) {
    if (line?.reason === undefined) continue;
    const known = reasons.find(({ code }) => code === line.reason);
    if (known === undefined) {
      const codes = listed(
        reasons.map(({ code }) => code),
        CODES_SHOWN,
      );
      const message =
        codes === ''
          ? say('the client has no reasons; leave `reason` out')
          : say('the client has no reason {reason}; send one of {codes}, or leave `reason` out', {
              reason: quote(line.reason),
              codes,
            });
      errors.add(`/lines/${index}/reason`, 'enum', message);
    } else if (known.asks === 'NOTE' && line.note === undefined && !errors.isBad(`/lines/${index}/note`)) {
      errors.add(
        `/lines/${index}/note`,
        'required',
        say('`note` is missing; the reason {code} needs a note, so describe the reason in `note`', {
          code: known.code,
        }),
      );
    }
  }
}

interface Conditioned {
  condition?: string | undefined;
  disposition?: Disposition | undefined;
}

/**
 * Returns the place for the units of each line: the sent disposition, otherwise the disposition of the condition. Adds
 * an error for an unknown condition, and for a line with neither field.
 */
export function dispositionsOf(
  { conditions }: ReturnSettings,
  lines: readonly (Conditioned | undefined)[],
  errors: FieldErrors,
): Disposition[] {
  return lines.map((line, index) => {
    const { condition, disposition } = line ?? {};
    const place = `/lines/${index}`;
    const known = conditions.find(({ code }) => code === condition);
    if (condition !== undefined && known === undefined) {
      const codes = listed(
        conditions.map(({ code }) => code),
        CODES_SHOWN,
      );
      errors.add(
        `${place}/condition`,
        'enum',
        say('the client has no condition {condition}; send one of {codes}', { condition: quote(condition), codes }),
      );
    }
    const isAbsent = line !== undefined && condition === undefined && disposition === undefined;
    if (isAbsent && !errors.isBad(`${place}/condition`) && !errors.isBad(`${place}/disposition`)) {
      errors.add(place, 'required', say('the line has neither condition nor disposition; send one of them'));
    }
    return disposition ?? known?.disposition ?? 'HELD';
  });
}

/** Adds errors for items that the client does not have. */
export async function itemErrors(
  ctx: ReadCtx,
  clientId: string,
  items: readonly { pointer: string; itemId: string }[],
  errors: FieldErrors,
): Promise<void> {
  const known = await findItemIds(
    ctx,
    clientId,
    items.map(({ itemId }) => itemId),
  );
  for (const { pointer, itemId } of items) {
    if (known.has(itemId)) continue;
    errors.add(
      pointer,
      'exists',
      say('the client has no item {itemId}; send the itemId of one of its items', { itemId: quote(itemId) }),
    );
  }
}

type Wishes = readonly (
  | { readonly line?: number | undefined; readonly wants?: { readonly itemId?: string | undefined } | undefined }
  | undefined
)[];

/**
 * Adds an error for each exchange that names the line of an earlier exchange, or a line that the return cannot have.
 * `most` is the number of lines that the message can make; the kernel may make fewer, because it adds up lines.
 */
export function wishErrors(wishes: Wishes = [], most: number, errors: FieldErrors): void {
  const seen = new Set<number>();
  for (const [index, wish] of wishes.entries()) {
    const line = wish?.line;
    if (line === undefined) continue;
    const place = `/exchangeLines/${index}/line`;
    if (seen.has(line)) {
      errors.add(place, 'uniqueItems', say('line {line} has two exchanges in this message; send only one', { line }));
    } else if (most > 0 && line > most) {
      const message = say(
        'the return of this message has at most {count} {count|line|lines}; send a line number from 1 to {count}',
        {
          count: most,
        },
      );
      errors.add(place, 'exists', message);
    }
    seen.add(line);
  }
}

/** Returns the items that the entries of `exchangeLines` name, each with its JSON pointer. */
export function wantedItems(wishes: Wishes = []): { pointer: string; itemId: string }[] {
  return wishes.flatMap((wish, index) => {
    const itemId = wish?.wants?.itemId;
    return itemId === undefined ? [] : [{ pointer: `/exchangeLines/${index}/wants/itemId`, itemId }];
  });
}

export function wishesOf(lines: readonly ExchangeWish[] = []): ExchangeWish[] {
  return lines.map(({ line, wants: { itemId, quantity } }) => ({ line, wants: { itemId, quantity } }));
}

/**
 * Returns the ids among `itemIds` that the client's settings exclude from returns. For a deleted item, its last values
 * count, because customers still have its units.
 */
export async function findExcluded(
  ctx: Pick<Ctx, 'db' | 'dialect'> | ReadCtx,
  clientId: string,
  { excluded }: ReturnSettings,
  itemIds: readonly string[],
): Promise<Set<string>> {
  if (excluded.length === 0 || itemIds.length === 0) return new Set();
  const items = await findItems(ctx, clientId, itemIds);
  for (const itemId of new Set(itemIds)) {
    const deleted = items.has(itemId) ? undefined : await findDeletedItem(ctx.db, clientId, itemId);
    if (deleted !== undefined) items.set(itemId, deleted);
  }
  const isExcluded = (item: NonNullable<ReturnType<typeof items.get>>) =>
    excluded.some(({ attribute, values }) => {
      const free = (item.customDynamicAttributes ?? []).filter(({ name }) => name === attribute);
      const own = attribute === 'type' ? item.type : attribute === 'salesClass' ? item.salesClass : undefined;
      return [...free.map(({ value }) => value), own].some((value) => value !== undefined && values.includes(value));
    });
  return new Set([...items].flatMap(([itemId, item]) => (isExcluded(item) ? [itemId] : [])));
}
