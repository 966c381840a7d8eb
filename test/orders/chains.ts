/** Orders whose declined units are re-sourced from node to node, through the API alone. */
import { expect } from 'vitest';
import type { Numeric } from '../../src/platform/decimal.ts';
import type { Answer } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';

export interface SentLine {
  quantity: number;
  unitPrice: number;
  charges: number;
  tax: number;
  instructions?: { type: string; text: string }[];
}

/** The incoming order. Its lines "1" to n have different items. */
interface Intake {
  fulfillmentType: string;
  currency: string;
  lines: readonly SentLine[];
  headerCharges: number;
  headerTax: number;
  cashOnDelivery: number | undefined;
  more?: object;
}

/** An order of a chain and its node. */
export interface SentOrder {
  id: string;
  nodeId: string;
  type: string;
}

interface ItemTotal {
  unitPrice: Numeric;
  extendedPrice: Numeric;
  charges: Numeric;
  tax: Numeric;
}

interface OrderTotal {
  grandTotal: Numeric;
  grandTax: Numeric;
  grandCharges: Numeric;
  hdrTax: Numeric;
  hdrCharges: Numeric;
  cashOnDelivery?: Numeric;
}

export interface OrderRead {
  status: string;
  queueId?: string;
  lines: {
    webLineId: string;
    itemId: string;
    orderedQuantity: number;
    heldQuantity: number;
    cancelingQuantity: number;
    canceledQuantity: number;
    returnedQuantity: number;
    handedOverQuantity: number;
    itemTotal: ItemTotal;
  }[];
  orderTotal: OrderTotal;
  charged?: {
    handOverId?: string;
    orderTotal: OrderTotal;
    items: { webLineId: string; quantity: number; itemTotal: ItemTotal }[];
  }[];
}

/** The amounts of a pack slip. */
interface Slip {
  packages: { packageId: string; packageItems: { webLineId: string; quantity: number }[] }[];
  fulfillmentOrderItems: { webLineId: string; orderedQuantity: number; itemTotal: ItemTotal }[];
  orderTotal: OrderTotal;
}

/** Returns how many units of the line at `index` to process, from 0 to `units`. */
type Share = (units: number, index: number) => number;

export interface Chains extends OpenTown {
  take: (intake: Intake) => Promise<SentOrder>;
  read: (order: SentOrder) => Promise<OrderRead>;
  /** Picks or checks in a waiting order; declines the units that `found` leaves out. */
  pick: (order: SentOrder, found: Share) => Promise<void>;
  /** Packs some of the units that remain to be packed into a new box. */
  pack: (order: SentOrder, units: Share, members?: object) => Promise<void>;
  decline: (order: SentOrder, webLineId: string, units: number) => Promise<void>;
  /** Cancels one more unit of a line. */
  cancel: (order: SentOrder, webLineId: string) => Promise<void>;
  /**
   * Hands over or delivers units of each line, and cancels the units that the customer rejects. Does nothing in other
   * states than 1400 and 1500.
   */
  give: (
    order: SentOrder,
    units: (units: number, index: number) => { handed: number; refused: number },
  ) => Promise<void>;
  /**
   * Re-sources the oldest open request of an order to the next possible node; undefined if there is no request or node.
   */
  resource: (
    order: SentOrder,
  ) => Promise<{ order: SentOrder; lines: { webLineId: string; quantity: number }[] } | undefined>;
  details: (order: SentOrder) => Promise<{ orderTotal: OrderTotal; customerPickUpItems: { itemTotal: ItemTotal }[] }>;
  /** Returns the events of an order, from the feed. */
  eventsOf: (order: SentOrder) => Promise<{ type: string; data: Record<string, unknown> }[]>;
  /** Generates a pack slip; undefined if the service rejects this with 400, because the order has no units to pack. */
  slip: (order: SentOrder) => Promise<Slip | undefined>;
}

const FIRST = 'TOWN-Store001';
const NODES = ['TOWN-DC001', 'TOWN-Third', 'TOWN-Fourth'];
const ITEMS = ['21-SOAP-LAV', '21-LAMP-BRS'];
const OWN = '/operator/v1/stores/TOWN_US';
const BY_CUSTOMER = 'CancelCustomerInitiated';
const BROKEN = 'CancelInventoryDiscrepancy';

let boxes = 0;

/** Opens the town with two additional nodes that ship. */
export async function openChains(): Promise<Chains> {
  const town = await openTown();
  const { client } = town;
  const dc = await town.operator('GET', '/operator/v1/clients/TOWN/nodes/TOWN-DC001');
  const { receivingWarehouseId: _none, ...more } = dc.body as Record<string, unknown>;
  for (const nodeId of NODES.slice(1)) {
    const put = await town.operator('PUT', `/operator/v1/clients/TOWN/nodes/${nodeId}`, {
      ...more,
      nodeId,
      nodeType: 'STORE',
      declinePolicy: 'NO_HOLD',
    });
    expect(put.status, put.text).toBe(201);
  }
  for (const nodeId of [FIRST, 'TOWN-DC001']) {
    const path = `/operator/v1/clients/TOWN/nodes/${nodeId}`;
    const node = (await town.operator('GET', path)).body as object;
    expect((await town.operator('PUT', path, { ...node, declinePolicy: 'NO_HOLD' })).status).toBe(200);
  }
  let count = 0;
  const newId = () => `CH${String(++count).padStart(5, '0')}`;
  const ok = <A extends Answer>(answer: A, ...statuses: number[]): A => {
    expect(statuses, answer.text).toContain(answer.status);
    return answer;
  };
  const at = (order: SentOrder) => `/stores/TOWN_US/nodes/${order.nodeId}`;
  const where = (order: SentOrder) => ({ storeId: 'TOWN_US', nodeId: order.nodeId });
  const own = (order: SentOrder) => `${OWN}/fulfillmentOrders/${order.id}`;
  const read: Chains['read'] = async (order) => ok(await client.get(own(order)), 200).body;
  const detailsOf = async (order: SentOrder) =>
    ok(
      await client.post(`${at(order)}/customerPickUps/${order.id}`, { ...where(order), fulfillmentOrderId: order.id }),
      200,
    ).body.customerPickUpDetails;

  const checkIn = async (order: SentOrder, lines: OrderRead['lines'], found: Share) => {
    const items = lines.map((line, index) => {
      const checkInQuantity = found(line.orderedQuantity, index);
      const checkInCanceledQuantity = line.orderedQuantity - checkInQuantity;
      return {
        itemId: line.itemId,
        webLineId: line.webLineId,
        quantity: line.orderedQuantity,
        checkInQuantity,
        checkInCanceledQuantity,
        ...(checkInCanceledQuantity > 0 && { checkInCancellationReasonCode: 'STSProductNotReceived' }),
      };
    });
    const body = {
      modifyAssociateId: 'bo',
      fulfillmentOrder: {
        ...where(order),
        action: 'CONFIRM',
        fulfillmentOrderId: order.id,
        holdLocation: 'A1',
        checkInPackages: [{ checkInPackageId: '1', checkInPackageItems: items }],
      },
    };
    ok(await client.post(`${at(order)}/fulfillmentOrders/${order.id}/checkin`, body), 204);
  };

  return {
    ...town,
    read,
    async take({ lines, fulfillmentType, currency, headerCharges, headerTax, cashOnDelivery, more: members }) {
      const id = newId();
      const place = {
        destinationId: 'home',
        destinationType: 'SHIPPING_ADDRESS',
        personName: { firstName: 'Pat', lastName: 'Kim' },
        address: {
          line1: '1 Pier',
          city: 'Newport',
          mainDivisionCode: 'RI',
          postalCode: '02840',
          countryCode: 'US',
        },
        phone: '+1 401 555 0199',
        email: 'pat@mail.example',
      };
      const body = {
        fulfillmentOrderId: id,
        omsOrderId: `OMS-${id}`,
        webOrderId: `WEB-${id}`,
        nodeId: FIRST,
        fulfillmentType,
        orderDate: '2026-03-02T10:00:00+00:00',
        currency,
        carrier: 'UPS',
        service: 'GROUND',
        customer: { name: 'Pat Kim', email: 'pat@mail.example', phone: '+1 401 555 0199' },
        destinations: [place],
        billToAddress: { destinationId: 'home' },
        shippingAddress: { destinationId: 'home' },
        lines: lines.map((line, index) => ({ webLineId: String(index + 1), itemId: ITEMS[index]!, ...line })),
        headerCharges,
        headerTax,
        ...(cashOnDelivery !== undefined && { cashOnDelivery }),
        ...(fulfillmentType === 'SHIP_TO_STORE' && { inStore: true }),
        ...members,
      };
      ok(await client.post(`${OWN}/fulfillmentOrders`, body), 201);
      return { id, nodeId: FIRST, type: fulfillmentType };
    },
    async pick(order, found) {
      const { status, queueId, lines } = await read(order);
      if (status === '1300') return checkIn(order, lines, found);
      if (status !== '1100') return undefined;
      const made = ok(
        await client.post(`${at(order)}/pickTicket/generate`, {
          ...where(order),
          queueId,
          userId: 'picker',
          fulfillmentOrderIds: [order.id],
          modifyAssociateId: 'bo',
        }),
        201,
      );
      const ticket = made.body.pickTicketDetails[0];
      const items = (ticket.pickTicketItems as { id: number; itemDetails: { itemId: string }; quantity: number }[]).map(
        ({ id, itemDetails, quantity }) => {
          const pickedQuantity = found(quantity, ITEMS.indexOf(itemDetails.itemId));
          const canceledQuantity = quantity - pickedQuantity;
          return {
            id,
            itemId: itemDetails.itemId,
            pickedQuantity,
            canceledQuantity,
            ...(canceledQuantity > 0 && { cancellationReasonCode: BROKEN }),
          };
        },
      );
      ok(
        await client.put(`${at(order)}/pickTicket/update`, {
          modifyAssociateId: 'bo',
          pickTicketDetails: {
            ...where(order),
            pickTicketId: ticket.pickTicketId,
            userId: 'picker',
            action: 'CONFIRM',
            holdLocation: 'A1',
            pickTicketItems: items,
          },
        }),
        204,
      );
    },
    async pack(order, units, members = {}) {
      if ((await read(order)).status !== '1200') return;
      const details = ok(
        await client.post(`/stores/TOWN_US/fulfillmentOrders/${order.id}/packages?nodeId=${order.nodeId}`, {
          ...where(order),
          fulfillmentOrderId: order.id,
        }),
        200,
      ).body.packDetail[0];
      const lines = details.packLines as { itemId: string; webLineId: string; toPackQuantity: number }[];
      const packageItems = lines
        .map(({ itemId, webLineId, toPackQuantity }, index) => ({
          itemId,
          webLineId,
          quantity: units(toPackQuantity, index),
        }))
        .filter(({ quantity }) => quantity > 0);
      if (packageItems.length === 0) return;
      boxes += 1;
      const [pounds, inches] = [
        { unit: 'LBS', value: 1 },
        { unit: 'IN', value: 4 },
      ];
      const box = {
        action: 'CREATE',
        boxId: String(boxes),
        trackingNumber: `T${boxes}`,
        boxWeight: pounds,
        packingMaterialWeight: pounds,
        length: inches,
        height: inches,
        width: inches,
        packageItems,
        ...members,
      };
      ok(
        await client.put(`/stores/TOWN_US/fulfillmentOrders/${order.id}/package/update`, {
          modifyAssociateId: 'bo',
          packDetails: { ...where(order), fulfillmentOrderId: order.id, packages: [box] },
        }),
        204,
      );
    },
    async decline(order, webLineId, quantity) {
      const body = {
        nodeId: order.nodeId,
        modifyAssociateId: 'bo',
        lines: [{ webLineId, quantity, reasonCode: BROKEN }],
      };
      ok(await client.post(`${own(order)}/decline`, body), 200, 400, 409);
    },
    async cancel(order, webLineId) {
      const line = (await read(order)).lines.find((one) => one.webLineId === webLineId)!;
      const quantity = line.canceledQuantity + line.cancelingQuantity + line.returnedQuantity + 1;
      ok(
        await client.post(`${own(order)}/cancel`, { reasonCode: BY_CUSTOMER, lines: [{ webLineId, quantity }] }),
        200,
        400,
        409,
      );
    },
    async give(order, units) {
      const { status, lines } = await read(order);
      if (status !== '1400' && status !== '1500') return;
      const items = lines
        .map((line, index) => ({ line, ...units(line.heldQuantity - line.cancelingQuantity, index) }))
        .filter(({ handed, refused }) => handed + refused > 0);
      if (items.length === 0) return;
      const refusal = (refused: number) => ({
        canceledQuantity: refused,
        ...(refused > 0 && { cancellationReasonCode: 'CancelMXCreditCustomerRefusal' }),
      });
      if (status === '1500') {
        const delivered = items.map(({ line, handed, refused }) => ({
          webLineId: line.webLineId,
          deliveredQuantity: handed,
          ...refusal(refused),
        }));
        const body = { nodeId: order.nodeId, modifyAssociateId: 'bo', lines: delivered };
        ok(await client.post(`${own(order)}/deliver`, body), 200);
        return;
      }
      const shown = (await detailsOf(order)).customerPickUpItems as {
        webLineId: string;
        backroomPickedQuantity: number;
      }[];
      const taken = items.map(({ line, handed, refused }) => ({
        webLineId: line.webLineId,
        itemId: line.itemId,
        customerPickedQuantity: handed,
        ...refusal(refused),
        backroomPickedQuantity: shown.find((one) => one.webLineId === line.webLineId)!.backroomPickedQuantity,
      }));
      ok(
        await client.put(`${at(order)}/customerPickUp/confirm`, {
          modifyAssociateId: 'bo',
          customerPickUpDetails: { ...where(order), fulfillmentOrderId: order.id, customerPickUpItems: taken },
        }),
        204,
      );
    },
    async resource(order) {
      const listed = ok(await client.get(`${OWN}/resourceRequests?limit=500&status=OPEN`), 200).body
        .resourceRequests as {
        requestId: string;
        fulfillmentOrderId: string;
        excludedNodeIds: string[];
        lines: { webLineId: string; quantity: number }[];
      }[];
      const request = listed.find((one) => one.fulfillmentOrderId === order.id);
      const nodeId = NODES.find((one) => request !== undefined && !request.excludedNodeIds.includes(one));
      if (request === undefined || nodeId === undefined) return undefined;
      const id = newId();
      const body = { outcome: 'RESOURCE', nodeId, fulfillmentOrderId: id };
      ok(await client.post(`${OWN}/resourceRequests/${request.requestId}/answer`, body), 200);
      return { order: { id, nodeId, type: order.type }, lines: request.lines };
    },
    details: detailsOf,
    async eventsOf(order) {
      const events: { type: string; resourceId: string; data: Record<string, unknown> }[] = [];
      for (let after = 0; ; ) {
        const page = ok(await client.get(`/operator/v1/events?after=${after}&limit=500`), 200).body;
        events.push(...page.events);
        if (page.nextAfter === after) return events.filter((one) => one.resourceId === order.id);
        after = page.nextAfter;
      }
    },
    async slip(order) {
      const answer = ok(
        await client.post(`/stores/TOWN_US/fulfillmentOrders/${order.id}/packslip/generate`, {
          ...where(order),
          fulfillmentOrderId: order.id,
          modifyAssociateId: 'bo',
        }),
        200,
        400,
      );
      return answer.status === 400 ? undefined : answer.body.packSlipDetails[0].fulfillmentOrder;
    },
  };
}
