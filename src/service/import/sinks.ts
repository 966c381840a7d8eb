/**
 * The sinks of all kinds. They use the checks and writes of the operations of each kind. Items, orders and opening
 * stock are written many messages at a time.
 */

import { sql } from 'kysely';
import { type CheckedItem, checkItem } from '../../items/check.ts';
import { itemReader } from '../../items/csv.ts';
import { parseItem } from '../../items/find.ts';
import type { Item } from '../../items/schema.ts';
import { type ItemOutcome, lockItems, putItems } from '../../items/store.ts';
import { servedBy } from '../../orders/exchanges.ts';
import { intakeSchemas, OrderIntake } from '../../orders/intake-schema.ts';
import { type CheckedOrder, checkOrders, insertOrders, type NewOrder } from '../../orders/intake-store.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { Refusal } from '../../platform/http/errors.ts';
import type { Operation } from '../../platform/http/operation.ts';
import { FieldErrors } from '../../platform/message/field-errors.ts';
import { isRecord } from '../../platform/message/record.ts';
import { inEnglish } from '../../platform/message/sentence.ts';
import { compile, type FieldError, fieldError } from '../../platform/message/validate.ts';
import type { TSchema } from '../../platform/schema.ts';
import { Contended } from '../../platform/storage/db.ts';
import type { ClientRow, ItemRow, NodeRow, StoreRow } from '../../platform/storage/tables.ts';
import { NodePut } from '../../provisioning/node.ts';
import { NodeItemPut } from '../../provisioning/node-item.ts';
import { putNode } from '../../provisioning/put-node.ts';
import { putNodeItem } from '../../provisioning/put-node-item.ts';
import { importUser } from '../../provisioning/put-user.ts';
import { provisioningSchemas } from '../../provisioning/schema.ts';
import { UserImport } from '../../provisioning/user.ts';
import { settingsOf } from '../../shared/client-settings.ts';
import { messageFromColumns } from './columns.ts';
import type { ImportKind } from './mapping.ts';
import type { Mapping } from './mapping-api.ts';
import type { Message, Owner, Prepared, RowErrors, Sink } from './sink.ts';
import { inboundSink } from './sink-inbound.ts';
import { stockSink } from './sink-stock.ts';

export function openSink(kind: ImportKind, owner: Owner, mapping: Pick<Mapping, 'existing'> | undefined): Sink {
  switch (kind) {
    case 'items':
      return itemSink(owner, mapping?.existing === 'fill');
    case 'orders':
      return orderSink(owner.store!);
    case 'nodes':
      return putSink(owner, putNode, NodePut, ['nodeId']);
    case 'node-items':
      return putSink(owner, putNodeItem, NodeItemPut, ['nodeId', 'itemId']);
    case 'users':
      return putSink(owner, importUser, UserImport, ['userId']);
    case 'inbound':
      return inboundSink(owner);
    case 'stock':
      return stockSink(owner);
  }
}

function itemSink({ client }: Owner, fill: boolean): Sink {
  const settings = settingsOf(client);
  const clientId = client.client_id;
  const check = ({ value, errors }: Message, stored?: Item): Prepared => {
    // Search terms of new items would be 40 % of the writes of an import, so the service adds them later.
    const validated = checkItem(client, settings, value, () => errors, { stored, termsLater: true });
    return { errors: validated.errors, content: validated.checked };
  };
  return {
    fromColumns: (columns) => {
      const read = itemReader(columns);
      return (row) => {
        const { item, errors } = read(columns.map((name) => row[name] ?? ''));
        return { value: item, errors };
      };
    },
    // With `fill`, `write` checks the items, because it first adds fields from the database.
    prepare: fill ? ({ value, errors }) => ({ errors, content: value }) : (message) => check(message),
    async write(ctx, messages) {
      const filled = fill ? await fillAll(ctx, clientId, messages, check) : undefined;
      const whole = filled?.messages ?? messages;
      const good = whole.filter(({ errors }) => errors.length === 0);
      const written = await putItems(
        ctx,
        clientId,
        good.map(({ content }) => content as CheckedItem),
      );
      if (filled !== undefined) mustBeNew(written, filled.known);
      const outcomes = written.values();
      return whole.map(({ errors }) => {
        if (errors.length > 0) return errors;
        const outcome = outcomes.next().value!;
        return outcome.outcome === 'refused' ? outcome.errors : [];
      });
    },
  };
}

/**
 * Completes each item with the fields of the stored item and of earlier valid messages of the batch, and checks it.
 * These fields overwrite the fields of the message, unless they are blank. `known` has the ids of the stored items.
 */
async function fillAll(
  ctx: Ctx,
  clientId: string,
  messages: readonly Prepared[],
  check: (message: Message, stored?: Item) => Prepared,
): Promise<{ messages: Prepared[]; known: ReadonlySet<string> }> {
  const ids = messages.map(({ content }) => itemIdOf(content)).filter((id) => id !== undefined);
  const stored = await lockItems(ctx, clientId, ids);
  const texts = new Map<string, ItemRow['doc']>();
  const whole = messages.map(({ content, errors }) => {
    const itemId = itemIdOf(content);
    if (itemId === undefined) return check({ value: content, errors });
    const earlier = texts.get(itemId);
    const item = earlier === undefined ? stored.get(itemId) : parseItem(earlier);
    const prepared = check({ value: filled(content as Partial<Item>, item), errors }, item);
    // An invalid message is not stored, so the next message of the item gets no fields from it.
    if (prepared.errors.length === 0) texts.set(itemId, (prepared.content as CheckedItem).text);
    return prepared;
  });
  return { messages: whole, known: new Set(stored.keys()) };
}

/**
 * A stored blank is no value: required texts that are not sent are stored blank. An item that is stored as no bundle
 * gets no contents.
 */
function filled(sent: Partial<Item>, item: Item | undefined): object {
  const kept = Object.entries(item ?? {}).filter(
    ([name, value]) => value !== '' || sent[name as keyof Item] === undefined,
  );
  const { bundleItems, ...rest } = sent;
  const isNoBundle = item?.bundle === false && sent.bundle === true;
  return { ...rest, ...(bundleItems !== undefined && !isNoBundle && { bundleItems }), ...Object.fromEntries(kept) };
}

/**
 * A lock covers only items that exist. @throws Contended if another request has created an item since the lock, so that
 * the batch runs again with its fields
 */
function mustBeNew(outcomes: readonly ItemOutcome[], known: ReadonlySet<string>): void {
  const created = new Set<string>();
  for (const { itemId, outcome } of outcomes) {
    if (outcome === 'created') created.add(itemId);
    if (outcome === 'updated' && !known.has(itemId) && !created.has(itemId)) {
      throw new Contended('The item was created.');
    }
  }
}

function itemIdOf(value: unknown): string | undefined {
  const itemId = (value as Partial<Item> | null | undefined)?.itemId;
  return typeof itemId === 'string' ? itemId : undefined;
}

function orderSink(store: StoreRow): Sink {
  const validate = compile(OrderIntake, intakeSchemas);
  return {
    fromColumns: columnsOf(OrderIntake, intakeSchemas),
    prepare: ({ value, errors }) => {
      const validated = validate(value);
      return { errors: [...errors, ...validated.errors], content: validated.value };
    },
    async write(ctx, messages) {
      const outcomes: RowErrors[] = messages.map(({ errors }) => errors);
      let open = messages.flatMap(({ content, errors }, at) =>
        errors.length > 0 ? [] : [{ at, order: content as OrderIntake }],
      );
      while (open.length > 0) {
        const errors = open.map(() => new FieldErrors());
        const orders = open.map(({ order }) => order);
        const checked = await checkOrders(ctx, store, orders, (index) => errors[index]!);
        for (const [index, one] of checked.orders.entries()) {
          outcomes[open[index]!.at] = outcomeOf(one, open[index]!.order, errors[index]!);
        }
        const isNew = (one: CheckedOrder, index: number): one is NewOrder =>
          one.outcome === 'new' && errors[index]!.isClean();
        const fresh = checked.orders.filter(isNew);
        // The orders are from another system, which has already promised their stock, so the available stock is not
        // checked.
        const created = await insertOrders(ctx, store, fresh, checked, { asked: false });
        // Another transaction has inserted these orders since the check; the next check compares their content.
        const missed = new Set(
          fresh.map(({ order }) => order.fulfillmentOrderId).filter((orderId) => !created.has(orderId)),
        );
        open = open.filter(({ order }) => missed.has(order.fulfillmentOrderId));
      }
      return outcomes;
    },
  };
}

/** Returns the errors of the row of an order. */
function outcomeOf(checked: CheckedOrder, order: OrderIntake, { list: { errors } }: FieldErrors): RowErrors {
  if (checked.outcome === 'differs') return [differs(order, checked.members)];
  if (checked.outcome !== 'served') return errors;
  return [...errors, fieldError('/exchangeOf', 'exchange', inEnglish(servedBy(checked.other, order)))];
}

function differs(order: OrderIntake, members: readonly string[]): FieldError {
  const id = JSON.stringify(order.fulfillmentOrderId);
  return fieldError(
    '/fulfillmentOrderId',
    'conflict',
    inEnglish(`order ${id} exists already with other content (${members.join(', ')})`),
  );
}

/**
 * Returns the sink of a kind whose operation writes one resource. The rules and effects of the operation apply to each
 * message.
 */
function putSink({ client }: Owner, operation: Operation, schema: TSchema, ids: readonly string[]): Sink {
  const validate = compile(schema, provisioningSchemas);
  const clientId = client.client_id;
  return {
    fromColumns: columnsOf(schema, provisioningSchemas),
    prepare: ({ value: sent, errors }) => {
      const { value, errors: ofForm } = validate(sent);
      return {
        errors: [...errors, ...ofForm, ...clientErrors(value, clientId), ...idErrors(value, ids)],
        content: value,
      };
    },
    async write(ctx, messages) {
      const outcomes: RowErrors[] = [];
      for (const { content, errors } of messages) {
        const params = { clientId, ...idsOf(content, ids) };
        outcomes.push(errors.length > 0 ? errors : await put(ctx, operation, client, params, content));
      }
      return outcomes;
    },
  };
}

async function put(
  ctx: Ctx,
  operation: Operation,
  client: ClientRow,
  params: Record<string, string>,
  body: unknown,
): Promise<RowErrors> {
  const clientId = client.client_id;
  const node = operation === putNodeItem ? await findNode(ctx, clientId, params.nodeId!) : undefined;
  if (operation === putNodeItem && node === undefined) {
    return [
      fieldError('/nodeId', 'exists', inEnglish(`there is no node ${JSON.stringify(params.nodeId)}; create it first`)),
    ];
  }
  // An operation can write rows before it rejects a message. A request then rolls back its transaction, an import rolls
  // back to this savepoint.
  await sql`savepoint import_row`.execute(ctx.db);
  try {
    const input = { params, query: {}, body, headers: {}, clientId, client, node };
    const answer = await operation.run.handle(ctx, input as never);
    if (answer instanceof Refusal) throw answer;
    await sql`release savepoint import_row`.execute(ctx.db);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    await sql`rollback to savepoint import_row`.execute(ctx.db);
    await sql`release savepoint import_row`.execute(ctx.db);
    const { errors = [] } = error.options;
    return errors.length > 0 ? errors : [fieldError('', error.code.toLowerCase(), inEnglish(error.message))];
  }
}

function findNode(ctx: Ctx, clientId: string, nodeId: string): Promise<NodeRow | undefined> {
  return ctx.db
    .selectFrom('nodes')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
}

function idsOf(value: unknown, ids: readonly string[]): Record<string, string> {
  const members = (value ?? {}) as Record<string, unknown>;
  const text = (id: unknown) => (typeof id === 'string' ? id : '');
  return Object.fromEntries(ids.map((name) => [name, text(members[name])]));
}

/**
 * Returns errors of missing identifiers. In an operation they are in the path; here they are fields that can be
 * missing.
 */
function idErrors(value: unknown, names: readonly string[]): FieldError[] {
  const members = (value ?? {}) as Record<string, unknown>;
  return names
    .filter((name) => members[name] === undefined || members[name] === '')
    .map((name) => fieldError(`/${name}`, 'required', inEnglish(`'${name}' is missing; add it`)));
}

/** Returns the error of a row of another client. In an operation, the path and the body must have the same client. */
function clientErrors(value: unknown, clientId: string): FieldError[] {
  const sent = isRecord(value) ? value.clientId : undefined;
  if (typeof sent !== 'string' || sent === clientId) return [];
  const message = `'clientId' is ${JSON.stringify(sent)}, but --client is ${JSON.stringify(clientId)}; import the rows of a client with its --client`;
  return [fieldError('/clientId', 'client', inEnglish(message))];
}

function columnsOf(schema: TSchema, named: readonly TSchema[]): Sink['fromColumns'] {
  return (columns) => messageFromColumns(columns, schema, named);
}
