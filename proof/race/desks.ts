/** Contests of other operations: packing a unit, taking over a ticket, deciding a re-source request. */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { type Arena, generateBody, inShort, must, NODE, sample, ticketOf, WHERE } from './arena.ts';
import { GENERATE, pick, readOrder, rowsOf, unitsIn } from './order.ts';

const MANY = 16;
const UNITS = [2, 3] as const;
const ITEMS = ['21-MUG-WHT', '21-TEE-RED-M'] as const;
const SHIPPED = { fulfillmentType: 'SHIP_TO_HOME', carrier: 'UPS', service: 'GROUND' };
const SFS = 'WAITING_FOR_PICK_SFS';

/** Packers concurrently put units of one order into separate boxes. No unit may be in two boxes. */
export async function packers(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const [id] = (await arena.place(1, UNITS, SHIPPED)) as [string];
  await pick(arena, id, undefined, SFS);
  const isTracked = whole(2) === 0;
  const boxes = Array.from({ length: 2 + whole(3) }, (_, index) => ({
    boxId: String(index + 1),
    units: index < 2 && whole(2) === 0 ? [...UNITS] : [whole(3), 1 + whole(3)],
  }));
  const answers = await Promise.all(
    boxes.map((box) =>
      service.client('PUT', `/stores/${WHERE.storeId}/fulfillmentOrders/${id}/package/update`, {
        modifyAssociateId: `packer-${box.boxId}`,
        packDetails: { ...WHERE, fulfillmentOrderId: id, packages: [packageOf(box, isTracked)] },
      }),
    ),
  );
  const said = boxes.map((box, index) => `${box.units.join('+')} ${inShort(answers[index]!)}`).join('; ');
  const order = await readOrder(arena, id);
  const there = new Map(
    (order.packages ?? []).map(({ boxId, packageItems }) => [
      boxId,
      ['1', '2'].map((line) => packageItems.find(({ webLineId }) => webLineId === line)?.quantity ?? 0),
    ]),
  );
  const packed = UNITS.map((_, line) => [...there.values()].reduce((sum, units) => sum + units[line]!, 0));
  if (packed.some((units, line) => units > UNITS[line]!))
    fail(`${packed.join(' and ')} units are packed of ${id}: ${said}`);
  for (const [index, { boxId, units }] of boxes.entries()) {
    const { status } = answers[index]!;
    const isThere = isDeepStrictEqual(there.get(boxId), units);
    const wouldFit = units.every((one, line) => packed[line]! + one <= UNITS[line]!);
    const isRight = status === 204 ? isThere : [400, 409].includes(status) && !there.has(boxId) && !wouldFit;
    if (!isRight) fail(`box ${boxId} of ${JSON.stringify([...there])}: ${said}`);
  }
  const isAll = isDeepStrictEqual(packed, [...UNITS]);
  const handed = isAll && isTracked ? [...UNITS] : [0, 0];
  if (order.status !== (isAll && isTracked ? '3700' : '1200')) fail(`packers left ${order.status}: ${said}`);
  if (!isDeepStrictEqual(unitsIn(order, 'handedOverQuantity'), handed))
    fail(`packers shipped ${order.status}: ${said}`);
}

function packageOf({ boxId, units }: { boxId: string; units: readonly number[] }, isTracked: boolean) {
  const inches = (value: number) => ({ unit: 'IN', value });
  return {
    action: 'CREATE',
    boxId,
    ...(isTracked && { trackingNumber: `track-${boxId}` }),
    boxWeight: { unit: 'LBS', value: 2.5 },
    packingMaterialWeight: { unit: 'LBS', value: 0.2 },
    length: inches(12),
    height: inches(4),
    width: inches(9),
    packageItems: units.flatMap((quantity, line) =>
      quantity === 0 ? [] : { itemId: ITEMS[line], webLineId: String(line + 1), quantity },
    ),
  };
}

/**
 * Sixteen users take over one ticket from the same user. One user gets the ticket; the errors of the other requests
 * name this user.
 */
export async function takeOvers(arena: Arena): Promise<void> {
  const { service, fail } = arena;
  const [id] = (await arena.place(1)) as [string];
  const answer = must(await service.client('POST', GENERATE, generateBody([id], 'ana')), 201);
  const { pickTicketId } = ticketOf(answer);
  const users = Array.from({ length: MANY }, (_, index) => `picker-${index}`);
  const path = `/operator/v1${NODE}/pickTickets/${pickTicketId}/takeOver`;
  const answers = await Promise.all(
    users.map((userId) => service.client('POST', path, { userId, fromUserId: 'ana', modifyAssociateId: userId })),
  );
  const won = users.filter((_, index) => answers[index]!.status === 200);
  const [winner] = won;
  if (winner === undefined || won.length > 1) fail(`${won.length} took over: ${answers.map(inShort).join('; ')}`);
  for (const [index, { status, body }] of answers.entries()) {
    const told = body as {
      pickTicketId?: string;
      userId?: string;
      since?: string;
      pickTicketDetails?: { userId: string };
    };
    if (status === 200) {
      if (told.pickTicketDetails?.userId !== users[index])
        fail(`${users[index]} took over: ${inShort(answers[index]!)}`);
      continue;
    }
    const isTold = told.pickTicketId === pickTicketId && told.userId === winner && told.since !== undefined;
    if (status !== 409 || !isTold) fail(`${users[index]} lost to ${winner}: ${inShort(answers[index]!)}`);
  }
  const order = await readOrder(arena, id);
  const [row] = await rowsOf<{ holder: string }>(
    arena,
    sql`select user_id as holder from pick_tickets
      where client_id = 'TOWN' and pick_ticket_id = ${pickTicketId}`,
  );
  if (order.pickTicketId !== pickTicketId || row?.holder !== winner) fail(`${winner} took over, ${row?.holder} has it`);
}

interface Wish {
  outcome: 'RESOURCE' | 'CANCEL';
  nodeId?: string;
  fulfillmentOrderId?: string;
}

/**
 * Sixteen requests, equal or different, decide one re-source request. One decision is carried out, and at most one new
 * order is created.
 */
export async function resourceAnswers(arena: Arena): Promise<void> {
  const { service, whole, fail } = arena;
  const [id] = (await arena.place(1, UNITS, SHIPPED)) as [string];
  await pick(arena, id, () => 0, SFS);
  const [request] = await rowsOf<{ id: string }>(
    arena,
    sql`select request_id as id from resource_requests
      where client_id = 'TOWN' and fulfillment_order_id = ${id}`,
  );
  const resource = (fulfillmentOrderId: string): Wish => ({
    outcome: 'RESOURCE',
    nodeId: 'TOWN-DC001',
    fulfillmentOrderId,
  });
  const all: Wish[] = [resource(`${id}-a`), resource(`${id}-b`), { outcome: 'CANCEL' }];
  const kinds = all.slice(0, 1 + whole(all.length));
  const wishes = sample(
    arena,
    Array.from({ length: MANY }, (_, index) => kinds[index % kinds.length]!),
    MANY,
  );
  const path = `/operator/v1/stores/${WHERE.storeId}/resourceRequests/${request!.id}/answer`;
  const answers = await Promise.all(wishes.map((wish) => service.client('POST', path, wish)));
  const said = answers.map(inShort).join('; ');
  const won = new Set(wishes.filter((_, index) => answers[index]!.status === 200));
  const [winner] = won;
  if (winner === undefined || won.size > 1) fail(`${won.size} decisions won: ${said}`);
  for (const [index, { status, body }] of answers.entries()) {
    const told = (body as { requestStatus?: string } | undefined)?.requestStatus;
    const isTold = told === (winner?.outcome === 'CANCEL' ? 'CANCELED' : 'RESOURCED');
    if (wishes[index] === winner ? status !== 200 : status !== 409 || !isTold) fail(`a late decision: ${said}`);
  }
  const first = await readOrder(arena, id);
  const ended = winner?.outcome === 'CANCEL' ? '9000' : '9200';
  if (first.status !== ended) fail(`after the decision the order is ${first.status}: ${said}`);
  const made = await rowsOf<{ id: string }>(
    arena,
    sql`select fulfillment_order_id as id from fulfillment_orders
      where client_id = 'TOWN' and resourced_from = ${id}`,
  );
  const expected = winner?.fulfillmentOrderId === undefined ? [] : [winner.fulfillmentOrderId];
  const ids = made.map((row) => row.id);
  if (!isDeepStrictEqual(ids, expected)) fail(`orders ${ids.join(', ')} were made: ${said}`);
  for (const newId of expected) {
    const order = await readOrder(arena, newId);
    const isWhole = isDeepStrictEqual(unitsIn(order, 'orderedQuantity'), unitsIn(first, 'declinedQuantity'));
    if (!isWhole || order.resourcedFrom !== id) fail(`order ${newId} has other units than were declined of ${id}`);
  }
}
