/** A world: one client with a store and a node in a running service, on which a sequence of commands is carried out. */

import type { Secrets } from '../../src/demo/town.ts';
import { orderBody } from '../race/arena.ts';
import { type Answer, credentialHeaders, type Method, type Service } from '../service.ts';
import { type Command, Model, QUEUE, unitsFound } from './model.ts';

const QUEUES = [...Object.values(QUEUE), 'WAITING_FOR_PACK_SFS', 'WAITING_FOR_CUSTOMER_PICK'];

interface World {
  service: Service;
  id: string;
  headers: Record<string, string>;
  model: Model;
  /** Ids of the tickets, in the order in which they were made. */
  tickets: { id: string; items: { id: number; sku: number }[] }[];
}

let worlds = 0;

/** Carries out a sequence in a new world. Answers what differs from the model, or undefined. */
export async function carryOut(service: Service, commands: readonly Command[]): Promise<string | undefined> {
  const world = await makeWorld(service);
  for (const [index, command] of commands.entries()) {
    if ((command.do === 'confirm' || command.do === 'reset') && world.tickets.length === 0) continue;
    const known = fitted(world, command);
    const answer = await send(world, known);
    const expected = world.model.expect(known);
    const shown = answer.status < 300 ? shownBy(world, known, answer) : undefined;
    const step = `step ${index + 1}, ${JSON.stringify(known)}`;
    if (answer.status !== expected.status) {
      return `${step}: ${answer.status} ${answer.text.slice(0, 300)}, the model says ${expected.status}`;
    }
    if (expected.shows !== undefined && !isSame(shown, expected.shows)) {
      return `${step}: shows ${JSON.stringify(shown)}, the model ${JSON.stringify(expected.shows)}`;
    }
  }
  return differenceAtEnd(world);
}

/** The command with its ticket among those there are, and its queue as it asks for. */
function fitted({ tickets, model }: World, command: Command): Command {
  if ('ticket' in command) return { ...command, ticket: command.ticket % tickets.length };
  if (command.do !== 'generate' || !command.fits) return command;
  return { ...command, type: model.typeOf(command.orders[0]) ?? command.type };
}

async function makeWorld(service: Service): Promise<World> {
  worlds += 1;
  const id = `W${worlds}`;
  const client = `/operator/v1/clients/${id}`;
  const ok = async (method: Method, path: string, body: unknown) => {
    const answer = await service.operator(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.text}`);
    return answer.body;
  };
  await ok('PUT', client, { name: id, catalogIds: ['21'] });
  const store = { name: id, catalogId: '21', sellerId: `${id}-S`, storeCode: '1', currency: 'USD' };
  await ok('PUT', `${client}/stores/${id}_US`, store);
  const address = { line1: '1', city: 'N', mainDivisionCode: 'RI', postalCode: '1', countryCode: 'US' };
  const node = {
    name: id,
    timeZone: 'UTC',
    address,
    phone: '1',
    openingHours: [],
    holdLocations: ['A1'],
    fulfillmentTypes: ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'],
  };
  await ok('PUT', `${client}/nodes/${id}-1`, { ...node, nodeType: 'STORE' });
  await ok('PUT', `${client}/nodes/${id}-2`, { ...node, nodeType: 'WAREHOUSE', receivingWarehouseId: 'DC1' });
  const credential = (await ok('POST', `${client}/credentials`, { label: id })) as Secrets;
  return { service, id, headers: credentialHeaders(credential), model: new Model(), tickets: [] };
}

function send(world: World, command: Command): Promise<Answer> {
  const { service, id, headers, tickets } = world;
  const call = (method: Method, path: string, body?: unknown) =>
    service.call({ method, path, headers, ...(body !== undefined && { body }) });
  const where = { storeId: `${id}_US`, nodeId: `${id}-1` };
  const node = `/stores/${id}_US/nodes/${id}-1`;
  const client = `/operator/v1/clients/${id}`;
  switch (command.do) {
    case 'putItem':
      return call('PUT', `/item-service/clients/${id}/items/${itemId(command.sku)}`, itemBody(id, command));
    case 'readItem':
      return call('GET', `/item-service/stores/${id}_US/items/${itemId(command.sku)}`);
    case 'deleteItem':
      return call('DELETE', `/item-service/clients/${id}/items/${itemId(command.sku)}`);
    case 'itemHistory':
      return service.operator('GET', `${client}/items/${itemId(command.sku)}/history`);
    case 'transmit':
      return call('POST', `/poasn-manager-service/sellers/${id}-S/poasn/create`, purchaseOrder(command));
    case 'readInbound':
      return service.operator('GET', `${client}/inbound/PO/PO-${command.number}`);
    case 'voidInbound':
      return service.operator('DELETE', `${client}/inbound/PO/PO-${command.number}`);
    case 'listInbound':
      return service.operator('GET', `${client}/inbound`);
    case 'intake':
      return call('POST', `/operator/v1/stores/${id}_US/fulfillmentOrders`, intakeBody(id, command));
    case 'search':
      return call('POST', `/stores/${id}_US/fulfillmentOrder/search`, where);
    case 'generate':
      return call('POST', `${node}/pickTicket/generate`, {
        ...where,
        queueId: QUEUE[command.type],
        userId: 'ana',
        modifyAssociateId: 'ana',
        fulfillmentOrderIds: command.orders.map(String),
      });
    case 'confirm':
    case 'reset': {
      const ticket = tickets[command.ticket]!;
      const common = { pickTicketId: ticket.id, ...where, userId: 'ana' };
      const pickTicketDetails =
        command.do === 'reset'
          ? { ...common, action: 'RESET' }
          : { ...common, action: 'CONFIRM', holdLocation: 'A1', pickTicketItems: answersOf(world, command) };
      return call('PUT', `${node}/pickTicket/update`, { modifyAssociateId: 'ana', pickTicketDetails });
    }
    case 'packSlip': {
      const body = { ...where, modifyAssociateId: 'ana', fulfillmentOrderId: String(command.order) };
      return call('POST', `/stores/${id}_US/fulfillmentOrders/${command.order}/packslip/generate`, body);
    }
    case 'checkInDetails':
      return call('GET', `${node}/fulfillmentOrders/${command.order}/checkin`);
    case 'checkIn':
      return call('POST', `${node}/fulfillmentOrders/${command.order}/checkin`, checkInBody(world, command, where));
  }
}

const itemId = (sku: number) => `21-SKU${sku}`;

function itemBody(clientId: string, { sku, title }: { sku: number; title: number }) {
  const names = { catalogId: '21', clientId, clientItemId: `SKU${sku}`, itemId: itemId(sku) };
  return { ...names, type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '', description: `title ${title}` };
}

function purchaseOrder({ number, quantity, sku }: Extract<Command, { do: 'transmit' }>) {
  const header = {
    shipmentNumber: `PO-${number}`,
    receivingType: 'P',
    receivingWarehouseId: 'DC1',
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'x',
    storeCode: '1',
  };
  const line = {
    clientItemId: `SKU${sku}`,
    shippedQuantity: quantity,
    itemCost: 1,
    trailerNumber: '1',
    receivingWarehouseId: 'DC1',
  };
  return { poData: [{ header, details: { detail: [line] } }] };
}

function intakeBody(id: string, { order, type, form, lines }: Extract<Command, { do: 'intake' }>) {
  const travels = type === 'SHIP_TO_STORE';
  const packages = lines.map(({ quantity }, index) => ({
    checkInPackageId: `P${index}`,
    trackingNumber: `T${order}-${index}`,
    items: [{ webLineId: String(index + 1), quantity }],
  }));
  return orderBody(String(order), [], {
    nodeId: `${id}-1`,
    fulfillmentType: type,
    webOrderId: `web-${form}`,
    ...(type === 'SHIP_TO_HOME' && { carrier: 'UPS', service: 'GROUND' }),
    ...(travels && { packages, shipFromAddress: { destinationId: 'home' } }),
    lines: lines.map(({ sku, quantity }, index) => ({
      webLineId: String(index + 1),
      itemId: itemId(sku),
      quantity,
      unitPrice: 9.5,
    })),
  });
}

function answersOf({ model, tickets }: World, { ticket, found }: Extract<Command, { do: 'confirm' }>) {
  const units = model.unitsOf(ticket);
  return tickets[ticket]!.items.map(({ id, sku }) => {
    const quantity = units.get(sku)!;
    const pickedQuantity = unitsFound(found, quantity);
    const canceledQuantity = quantity - pickedQuantity;
    const reason = canceledQuantity > 0 && { cancellationReasonCode: 'CancelMXOutOfStock' };
    return { id, itemId: itemId(sku), quantity, pickedQuantity, canceledQuantity, ...reason };
  });
}

function checkInBody({ model }: World, command: Extract<Command, { do: 'checkIn' }>, where: Record<string, string>) {
  const { order, action, packages, short } = command;
  const lines = model.linesOf(order);
  const checkInPackages = packages.map((index) => {
    const { sku = 0, ordered = 1 } = lines[index] ?? {};
    const item = {
      itemId: itemId(sku),
      webLineId: String(index + 1),
      quantity: ordered,
      checkInQuantity: ordered - Number(short),
      checkInCanceledQuantity: Number(short),
      ...(short && { checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' }),
    };
    return { checkInPackageId: `P${index}`, checkInPackageItems: [item] };
  });
  const fulfillmentOrder = { action, ...where, fulfillmentOrderId: String(order), holdLocation: 'A1', checkInPackages };
  return { modifyAssociateId: 'ana', fulfillmentOrder };
}

/** The members of answers that are compared. */
interface Shown {
  description: string;
  exists: boolean;
  inbound: { number: string }[];
  pickTicketDetails: [
    { pickTicketId: string; pickTicketItems: { id: number; itemDetails: { itemId: string }; quantity: number }[] },
  ];
  packSlipDetails: [{ fulfillmentOrder: { packages: [{ packageItems: { quantity: number }[] }] } }];
  fulfillmentOrder: {
    checkInPackages: { checkInPackageItems: { checkInQuantity: number; checkInCanceledQuantity: number }[] }[];
  };
  fulfillmentOrders: {
    fulfillmentOrderId: string;
    status: string;
    pickTicketId?: string;
    totalNoOfItems: string;
    totalQuantity: string;
  }[];
}

/** What an answer shows of what the model knows; a new ticket is noted. */
function shownBy(world: World, command: Command, answer: Answer): unknown {
  const body = answer.body as Shown;
  switch (command.do) {
    case 'readItem':
      return body.description;
    case 'itemHistory':
      return body.exists;
    case 'listInbound':
      return body.inbound.map((one) => Number(one.number.slice(3))).sort();
    case 'search':
      return ordersIn(body).sort((a, b) => a[0]! - b[0]!);
    case 'generate': {
      const [ticket] = body.pickTicketDetails;
      const items = ticket.pickTicketItems.map(({ id, itemDetails, quantity }) => ({
        id,
        sku: Number(itemDetails.itemId.slice(6)),
        quantity,
      }));
      world.tickets.push({ id: ticket.pickTicketId, items });
      return items.map(({ sku, quantity }) => [sku, quantity]).sort((a, b) => a[0]! - b[0]!);
    }
    case 'packSlip':
      return body.packSlipDetails[0].fulfillmentOrder.packages[0].packageItems.map((item) => item.quantity);
    case 'checkInDetails':
      return body.fulfillmentOrder.checkInPackages.flatMap((one) =>
        one.checkInPackageItems.map((item) => [item.checkInQuantity, item.checkInCanceledQuantity]),
      );
    default:
      return undefined;
  }
}

function ordersIn(body: Shown): number[][] {
  return body.fulfillmentOrders.map((order) => [Number(order.fulfillmentOrderId), Number(order.status)]);
}

/** Every order and every queue, as the two searches show them at the end. */
async function differenceAtEnd(world: World): Promise<string | undefined> {
  const found = shownBy(world, { do: 'search' }, await send(world, { do: 'search' }));
  const standings = world.model.standings();
  if (!isSame(found, standings)) return `at the end: ${JSON.stringify(found)}, the model ${JSON.stringify(standings)}`;
  const { id, service, headers, tickets } = world;
  for (const queueId of QUEUES) {
    const path = `/stores/${id}_US/nodes/${id}-1/fulfillmentOrders?queueId=${queueId}`;
    const body = { storeId: `${id}_US`, nodeId: `${id}-1`, queueId };
    const answer = await service.call({ method: 'POST', path, headers, body });
    const seen = (answer.body as Shown).fulfillmentOrders
      .toSorted((a, b) => Number(a.fulfillmentOrderId) - Number(b.fulfillmentOrderId))
      .map((order) => [
        Number(order.fulfillmentOrderId),
        order.pickTicketId ?? null,
        Number(order.totalNoOfItems),
        Number(order.totalQuantity),
      ]);
    const expected = world.model
      .queue(queueId)
      .map(([order, ticket, lines, units]) => [order, ticket === undefined ? null : tickets[ticket]!.id, lines, units]);
    if (!isSame(seen, expected)) return `${queueId}: ${JSON.stringify(seen)}, the model ${JSON.stringify(expected)}`;
  }
  return undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
