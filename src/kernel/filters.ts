/**
 * The filters of the order searches (docs/interface.md#search-a-queue and docs/interface.md#search-fulfillment-orders):
 * one table from field to condition.
 */
import type { Expression, ExpressionBuilder, RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Ctx } from '../platform/ctx.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { contains, startsWith } from '../platform/storage/like.ts';
import type { Tables } from '../platform/storage/tables.ts';
import { numberWithoutIndex } from '../platform/storage/without-index.ts';
import { parseDateTime } from '../platform/time.ts';
import type { ContactFilter, DateRange } from '../shared/shapes.ts';
import { emailKey, nameKey, nameWords, PHONE_DIGITS, phoneKey, postalKey } from './keys.ts';
import { say } from './sentences.ts';
import { END_STATES, State } from './states.ts';

/** All filters. Orders must match every filter that is present. */
export interface OrderFilters {
  queueId?: string;
  fulfillmentType?: string;
  fulfillmentTypes?: readonly string[];
  /** A range of status codes, `from` and `to` included. */
  statuses?: { from: number; to: number };
  carrier?: string;
  service?: string;
  shipMethod?: string;
  pickTicketId?: string;
  fulfillmentOrderId?: string;
  webOrderId?: string;
  omsOrderId?: string;
  /** Postal codes of the shippingAddress; `to` includes every code that starts with it (docs/interface.md#ranges). */
  zipCodeRange?: { from: string; to: string };
  orderDateRange?: DateRange;
  fulfillmentOrderDateRange?: DateRange;
  expectedDeliveryDateRange?: DateRange;
  customer?: ContactFilter;
  proxyDetails?: ContactFilter;
  trackingNumber?: string;
  pinNumber?: string;
  /** A text that a user typed: a part of a number, words of a name, the beginning of a town, or an e-mail address. */
  text?: string;
}

export type FilterCtx = Pick<Ctx, 'dialect' | 'sealer'> & { clientId: string };
type Eb = ExpressionBuilder<Tables, 'fulfillment_orders'>;
type Condition = Expression<SqlBool>;
type Filter<V> = (eb: Eb, value: V, ctx: FilterCtx) => Condition;

const equal =
  (column: keyof Tables['fulfillment_orders']): Filter<string> =>
  (eb, value) =>
    eb(column, '=', value);

const within =
  (column: 'order_date' | 'fulfillment_order_date' | 'expected_delivery_date'): Filter<DateRange> =>
  (eb, { from, to }) =>
    eb.and([eb(column, '>=', parseDateTime(from)), eb(column, '<=', parseDateTime(to))]);

const CONDITIONS: { [M in keyof Required<OrderFilters>]: Filter<Required<OrderFilters>[M]> } = {
  queueId: equal('queue_id'),
  fulfillmentType: equal('fulfillment_type'),
  fulfillmentTypes: (eb, types, ctx) => eb('fulfillment_type', 'in', ctx.dialect.listOf(types, 'text')),
  // SQLite prefers the index by store and state, which has the orders of all nodes of the store. For open orders this is
  // fast, because they are few. For ended orders, an expression that no index contains makes SQLite use the index of
  // the node.
  statuses: (eb, { from, to }, { dialect }) => {
    const hasEnded = END_STATES.some((state) => from <= state && state <= to);
    const status = dialect.engine === 'sqlite' && hasEnded ? numberWithoutIndex('status') : sql.ref<number>('status');
    return eb.and([eb(status, '>=', from), eb(status, '<=', to)]);
  },
  carrier: equal('carrier'),
  service: equal('service'),
  shipMethod: equal('ship_method'),
  pickTicketId: onTicket,
  fulfillmentOrderId: equal('fulfillment_order_id'),
  webOrderId: equal('web_order_id'),
  omsOrderId: equal('oms_order_id'),
  zipCodeRange: (eb, { from, to }) => {
    const last = postalKey(to);
    const prefix = sql<string>`substr(postal_code_key, 1, ${Array.from(last).length})`;
    return eb.and([eb('postal_code_key', '>=', postalKey(from)), eb(prefix, '<=', last)]);
  },
  orderDateRange: within('order_date'),
  fulfillmentOrderDateRange: within('fulfillment_order_date'),
  expectedDeliveryDateRange: within('expected_delivery_date'),
  customer: contact('customer'),
  proxyDetails: contact('proxy'),
  trackingNumber: (eb, number, ctx) =>
    eb(
      'fulfillment_order_id',
      'in',
      eb
        .selectFrom('checkin_packages')
        .select('checkin_packages.fulfillment_order_id')
        .where('checkin_packages.client_id', '=', ctx.clientId)
        .where('checkin_packages.tracking_number', '=', number)
        .unionAll(
          eb
            .selectFrom('packages')
            .select('packages.fulfillment_order_id')
            .where('packages.client_id', '=', ctx.clientId)
            .where('packages.tracking_number', '=', number),
        ),
    ),
  pinNumber: (eb, pin, ctx) => eb('pin_hash', 'in', ctx.sealer.fingerprints(ctx.clientId, pin)),
  text: (eb, text, { dialect }) => eb.or(textConditions(text, dialect)),
};

const hasPart = (column: string, part: string) => contains(sql.ref(column), part);

/**
 * Returns the conditions of a typed text. One of them must hold: the text is a part of a number, every word begins a
 * word of a name, a town begins with the text, or an e-mail address equals the text.
 */
function textConditions(text: string, dialect: Dialect): RawBuilder<SqlBool>[] {
  const numbers = ['fulfillment_order_id', 'web_order_id', 'oms_order_id'].map((column) => hasPart(column, text));
  // Words have only letters and digits, so they need no escaping.
  const words = nameWords(text).map((parts) => parts.join(''));
  const names = (words.length === 0 ? [] : (['customer_name_key', 'proxy_name_key'] as const)).map(
    (column) =>
      sql<SqlBool>`(${sql.join(
        words.map((word) => sql`${sql.ref(column)} like ${`% ${word}%`}`),
        sql` and `,
      )})`,
  );
  const emails = text.includes('@')
    ? (['customer_email_key', 'proxy_email_key'] as const).map(
        (column) => sql<SqlBool>`${sql.ref(column)} = ${emailKey(text)}`,
      )
    : [];
  return [...numbers, ...names, goesTo(text, dialect), ...emails];
}

/**
 * Returns the condition that the goods go to a town whose name begins with the text. Reading the JSON of the contacts
 * takes long, so the condition first searches their text for the town, escaped as in JSON. This search also finds other
 * addresses, so the condition then compares the address of the goods.
 */
function goesTo(text: string, { engine }: Dialect): RawBuilder<SqlBool> {
  const someCity = hasPart('contacts', `"city":"${JSON.stringify(text).slice(1, -1)}`);
  const isOfGoods =
    engine === 'sqlite'
      ? sql`select 1 from json_each(contacts, '$.destinations') as one
          where one.value ->> '$.destinationId' = contacts ->> '$.shippingAddress.destinationId'
            and ${startsWith(sql`one.value ->> '$.address.city'`, text)}`
      : sql`select 1 from json_array_elements(contacts::json -> 'destinations') as one
          where one ->> 'destinationId' = contacts::json -> 'shippingAddress' ->> 'destinationId'
            and ${startsWith(sql`(one -> 'address' ->> 'city') collate "C"`, text)}`;
  return sql<SqlBool>`(case when ${someCity} then exists (${isOfGoods}) else 1 = 0 end)`;
}

/**
 * Returns the condition on an order's ticket: in state 8000 its open reverse pick ticket, in other states its pick
 * ticket.
 */
function onTicket(eb: Eb, pickTicketId: string, { clientId }: FilterCtx): Condition {
  const returning = eb
    .selectFrom('pick_tickets')
    .select('pick_tickets.fulfillment_order_id')
    .where('pick_tickets.client_id', '=', clientId)
    .where('pick_tickets.pick_ticket_id', '=', pickTicketId)
    .where('pick_tickets.fulfillment_order_id', 'is not', null)
    .where('pick_tickets.status', '<>', 'CLOSED')
    .$narrowType<{ fulfillment_order_id: string }>();
  const onLines = eb
    .selectFrom('pick_ticket_lines as line')
    .select('line.fulfillment_order_id')
    .where('line.client_id', '=', clientId)
    .where('line.pick_ticket_id', '=', pickTicketId);
  return eb.and([
    // The lines of the ticket name the orders to check. The second condition keeps the orders whose present ticket this is.
    eb('fulfillment_order_id', 'in', onLines),
    eb.or([
      eb.and([eb('pick_ticket_id', '=', pickTicketId), eb('status', '<>', State.GOODS_TO_RETURN)]),
      eb.and([eb('fulfillment_order_id', 'in', returning), eb('status', '=', State.GOODS_TO_RETURN)]),
    ]),
  ]);
}

function contact(who: 'customer' | 'proxy'): Filter<ContactFilter> {
  return (eb, { name, email, phone }) =>
    eb.and([
      ...(name === '' ? [] : named(eb, `${who}_name_key`, name)),
      ...(email === '' ? [] : [eb(`${who}_email_key`, '=', emailKey(email))]),
      ...(phone === '' ? [] : [phoned(eb, `${who}_phone_key`, phoneKey(phone))]),
    ]);
}

function named(eb: Eb, column: 'customer_name_key' | 'proxy_name_key', name: string): Condition[] {
  const words = nameWords(name);
  // Words have only letters and digits, so they need no escaping in `like`.
  const begins = (word: string) => eb(column, 'like', `% ${word}%`);
  if (words.length === 0) return [eb(column, '=', nameKey(name))];
  return words.map((parts) =>
    parts.length === 1 ? begins(parts[0]!) : eb.or([begins(parts.join('')), eb.and(parts.map(begins))]),
  );
}

/** Number of digits to compare, counted from the end. The last digits are the same with and without a country code. */
const NATIONAL_DIGITS = 10;

function phoned(eb: Eb, column: 'customer_phone_key' | 'proxy_phone_key', digits: string): Condition {
  if (digits.length < PHONE_DIGITS) return eb(column, '=', digits);
  const shorter = sql<SqlBool>`(length(${sql.ref(column)}) >= ${PHONE_DIGITS} and ${digits} like '%' || ${sql.ref(column)})`;
  return eb.or([eb(column, 'like', `%${digits.slice(-NATIONAL_DIGITS)}`), shorter]);
}

/** Returns the conditions of the filters that are present. */
export function conditionsOf(eb: Eb, filters: OrderFilters, ctx: FilterCtx): Condition[] {
  return (Object.keys(CONDITIONS) as (keyof OrderFilters)[]).flatMap((member) => {
    const value = filters[member];
    return value === undefined ? [] : [(CONDITIONS[member] as Filter<typeof value>)(eb, value, ctx)];
  });
}

/** Maximum number of words in a name filter: each word is compared with the names of many orders. */
const NAME_WORDS_MAX = 20;

/**
 * Returns errors of names with too many words and of reversed ranges. `prefix` is the pointer of the object with the
 * fields.
 */
export function filterErrors(filters: ValidPart<OrderFilters>, prefix = ''): FieldError[] {
  const errors: FieldError[] = [];
  for (const member of ['customer', 'proxyDetails'] as const) {
    const words = nameWords(filters[member]?.name ?? '').length;
    if (words <= NAME_WORDS_MAX) continue;
    const message = say("'name' of '{field}' has {words} words; send at most {nameWordsMax}", {
      field: member,
      words,
      nameWordsMax: NAME_WORDS_MAX,
    });
    errors.push(fieldError(`${prefix}/${member}/name`, 'words', message, NAME_WORDS_MAX));
  }
  for (const member of ['orderDateRange', 'fulfillmentOrderDateRange', 'expectedDeliveryDateRange'] as const) {
    errors.push(...dateRangeErrors(filters[member], `${prefix}/${member}`));
  }
  const { statuses, zipCodeRange } = filters;
  const { from = 0, to = from } = statuses ?? {};
  if (from > to) errors.push(backwards(`${prefix}/statuses`));
  if (zipCodeRange) errors.push(...zipErrors(zipCodeRange, `${prefix}/zipCodeRange`));
  return errors;
}

function zipErrors(range: { from?: string | undefined; to?: string | undefined }, pointer: string): FieldError[] {
  const empty = (['from', 'to'] as const).filter((end) => range[end] !== undefined && postalKey(range[end]) === '');
  if (empty.length > 0) {
    return empty.map((end) =>
      fieldError(`${pointer}/${end}`, 'blank', say("'{end}' has no letter or digit; send a postal code", { end })),
    );
  }
  if (range.from === undefined || range.to === undefined) return [];
  const [from, to] = [postalKey(range.from), postalKey(range.to)];
  return from.slice(0, to.length) > to ? [backwards(pointer)] : [];
}

/** Returns an error if the `from` of a range of dates is after its `to`. */
export function dateRangeErrors(range: ValidPart<DateRange> | undefined, pointer: string): FieldError[] {
  const { from, to } = range ?? {};
  const isWrong = from !== undefined && to !== undefined && parseDateTime(from) > parseDateTime(to);
  return isWrong ? [backwards(pointer)] : [];
}

/** Returns the error of a range whose `from` is after its `to`. */
function backwards(pointer: string): FieldError {
  const member = pointer.slice(pointer.lastIndexOf('/') + 1);
  return fieldError(pointer, 'range', say("'from' of '{field}' is after 'to'; swap them", { field: member }));
}
