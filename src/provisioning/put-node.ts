import { openStock } from '../kernel/stock-opening.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { type FieldError, fieldError } from '../platform/message/validate.ts';
import { isUniqueViolation, type Writer } from '../platform/storage/db.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { Node, NodePut, toNode } from './node.ts';
import { answerPut, LIMITS, stays } from './resource.ts';
import { say } from './sentences.ts';

const WAREHOUSE_ID_MAX = 5;

/** Creates a node of a client, or overwrites it (docs/api.md#set-up-of-clients-stores-and-nodes). */
export const putNode = writeOperation({
  id: 'putNode',
  since: '0.1.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}',
  summary: 'Create or change a node',
  description:
    'Creates a physical store or a warehouse, or overwrites it. `openingHours` are local times; a day can have several spans that do not overlap; without spans the node is always open. `receivingWarehouseId` names a node in inbound messages and is unique in the client; the default of a warehouse is its nodeId, if that has at most 5 characters. `stock`, `promise` and `receiveTo` do not change if they are left out. If you set `stock` to KEPT, the service immediately reserves the units of the open orders of the node. The first count of each item then sets its level.',
  events: ['node.created', 'node.changed', 'stock.changed'],
  access: { auth: 'operator', permission: 'installation' },
  message: {
    body: NodePut,
    replies: {
      200: { description: 'The node as it is now.', schema: Node },
      201: { description: 'The node was created.', schema: Node },
    },
    refusals: {
      404: 'There is no such client.',
      409: 'The receivingWarehouseId is taken by another node of the client.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(_ctx, { params: { nodeId }, body }, errors) {
      errors.addAll([
        ...pathIdErrors('nodeId', nodeId, LIMITS.nodeId),
        ...timeZoneErrors(body.timeZone),
        ...openingErrors(body.openingHours),
        ...repeatErrors('/holdLocations', body.holdLocations),
        ...repeatErrors('/fulfillmentTypes', body.fulfillmentTypes),
        ...repeatErrors('/holidays', body.holidays),
      ]);
    },
    async handle(ctx, { params: { nodeId }, clientId, body }) {
      const { db } = ctx;
      const { address } = body;
      // Some countries have no states or postal codes; responses always have both fields.
      const wholeAddress = {
        ...address,
        mainDivisionCode: address.mainDivisionCode ?? '',
        postalCode: address.postalCode ?? '',
      };
      const values = {
        name: body.name,
        node_type: body.nodeType,
        time_zone: body.timeZone,
        address: stringifyJson(wholeAddress),
        phone: body.phone ?? '',
        opening_hours: stringifyJson(body.openingHours ?? []),
        hold_locations: stringifyJson(body.holdLocations ?? []),
        fulfillment_types: stringifyJson(body.fulfillmentTypes ?? []),
        receiving_warehouse_id: warehouseId(nodeId, body),
        holidays: stringifyJson(body.holidays?.toSorted() ?? []),
        decline_policy: body.declinePolicy ?? 'NO_HOLD',
        updated_at: ctx.now,
      };
      const row = {
        client_id: clientId,
        node_id: nodeId,
        ...values,
        ...stockOf(body, { stock: 'NOT_KEPT', promise: 'ANY', receive_to: 'SHELF' }),
        created_at: ctx.now,
      };
      const made = await db
        .insertInto('nodes')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      if (made.numInsertedOrUpdatedRows === 1n) return answerPut(ctx, 'node', clientId, nodeId, undefined, toNode(row));
      const before = await findLocked(ctx, clientId, nodeId);
      const holder = await findByWarehouse(db, clientId, values.receiving_warehouse_id);
      if (before === undefined || (holder !== undefined && holder.node_id !== nodeId)) {
        throw warehouseTaken(values.receiving_warehouse_id, holder?.node_id);
      }
      const stock = stockOf(body, before);
      const after = { ...before, ...values, ...stock };
      if (stays(toNode(before), toNode(after))) return reply(200, toNode(before));
      const opens = stock.stock === 'KEPT' && before.stock !== 'KEPT';
      if (stock.stock !== before.stock) await ctx.dialect.lockTable?.('fulfillment_orders').execute(db);
      await db
        .updateTable('nodes')
        .set({ ...values, ...stock })
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .execute()
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? warehouseTaken(values.receiving_warehouse_id) : error;
        });
      if (opens) await openStock(ctx, { clientId, nodeId });
      return answerPut(ctx, 'node', clientId, nodeId, toNode(before), toNode(after));
    },
  },
  example: {
    path: '/operator/v1/clients/NEXT/nodes/NEXT-Store001',
    body: {
      name: 'Quay',
      nodeType: 'STORE',
      timeZone: 'America/New_York',
      address: { line1: '5 Quay', city: 'Bristol', mainDivisionCode: 'RI', postalCode: '02809', countryCode: 'US' },
      phone: '+1 401 555 0303',
      openingHours: [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '18:00' }],
      holdLocations: ['A1'],
      fulfillmentTypes: ['STORE_PICK_UP'],
    },
  },
});

/**
 * Finds and locks the node. Without the lock, this PUT could overwrite new settings with the stored settings that it
 * read before.
 */
async function findLocked({ db, dialect }: Ctx, clientId: string, nodeId: string): Promise<NodeRow | undefined> {
  const query = db.selectFrom('nodes').selectAll().where('client_id', '=', clientId).where('node_id', '=', nodeId);
  return query.modifyEnd(dialect.forNoKeyUpdate).executeTakeFirst();
}

type StockColumns = Pick<NodeRow, 'stock' | 'promise' | 'receive_to'>;

/** Returns the stock settings after a PUT. Settings that the PUT leaves out do not change. */
function stockOf({ stock, promise, receiveTo }: NodePut, before: StockColumns): StockColumns {
  return {
    stock: stock ?? before.stock,
    promise: promise ?? before.promise,
    receive_to: receiveTo ?? before.receive_to,
  };
}

function warehouseId(nodeId: string, body: NodePut): string | null {
  if (body.receivingWarehouseId !== undefined) return body.receivingWarehouseId;
  return body.nodeType === 'WAREHOUSE' && Array.from(nodeId).length <= WAREHOUSE_ID_MAX ? nodeId : null;
}

function timeZoneErrors(timeZone: string | undefined): FieldError[] {
  if (timeZone === undefined) return [];
  try {
    // Offsets such as +01:00 have no summer time, so they are not accepted as zones.
    if (!/^[A-Za-z]/.test(timeZone)) throw new RangeError('an offset');
    Intl.DateTimeFormat('en', { timeZone });
    return [];
  } catch {
    return [
      {
        pointer: '/timeZone',
        rule: 'timeZone',
        message: say('timeZone must be a zone of the IANA database, for example Europe/Lisbon'),
      },
    ];
  }
}

type Span = ValidPart<NonNullable<NodePut['openingHours']>[number]>;

function openingErrors(spans: readonly (Span | undefined)[] = []): FieldError[] {
  return spans.flatMap((span = {}, index) => {
    const pointer = `/openingHours/${index}`;
    if (span.opens === undefined || span.closes === undefined) return [];
    if (span.opens >= span.closes) {
      const message = say('closes must be later than opens; send a span past midnight as two spans');
      return [fieldError(`${pointer}/closes`, 'openingHours', message)];
    }
    const other = spans.findIndex((one = {}, at) => at < index && overlap(one, span));
    if (other < 0) return [];
    return [
      fieldError(
        pointer,
        'openingHours',
        say('this span of {dayOfWeek} overlaps the span at index {other}; merge them', {
          dayOfWeek: span.dayOfWeek,
          other,
        }),
      ),
    ];
  });
}

function overlap(one: Span, other: Span): boolean {
  if (one.dayOfWeek === undefined || one.dayOfWeek !== other.dayOfWeek) return false;
  return isBefore(one.opens, other.closes) && isBefore(other.opens, one.closes);
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}

async function findByWarehouse(db: Writer, clientId: string, warehouse: string | null) {
  if (warehouse === null) return undefined;
  return db
    .selectFrom('nodes')
    .select('node_id')
    .where('client_id', '=', clientId)
    .where('receiving_warehouse_id', '=', warehouse)
    .executeTakeFirst();
}

function warehouseTaken(warehouse: string | null, holder?: string): Refusal {
  const whose = holder === undefined ? say('another node') : say('node {holder}', { holder: JSON.stringify(holder) });
  return conflict(
    say('The receivingWarehouseId {warehouse} is taken by {whose} of the client; choose another.', {
      warehouse: JSON.stringify(warehouse),
      whose,
    }),
  );
}
