/** The content of printed documents, built from responses of the service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../console/print/documents.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { orderOf as counterOrder, NODE, pickedOrder, STORE } from './support/counter.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ upTo: 'catalog' });
});
afterAll(() => town.close());

const ENGLISH = { language: 'en' };

type Order = Parameters<typeof documents.holdTicket>[0];

const orderOf = async (id: string) => (await counterOrder(town, id)) as unknown as Order;

/** Sends a write and returns its response. */
async function sent(method: 'post' | 'put', path: string, body: object) {
  const answer = await town.client[method](path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

/** Creates orders to pick, and returns their ticket as the picker reads it. */
async function ticketOf(...orders: Record<string, unknown>[]) {
  const at = new Date(town.clock.now - 60_000).toISOString();
  const bodies = orders.map((more, index) => ({
    fulfillmentOrderId: `T${town.clock.now}-${++made}`,
    omsOrderId: `O${made}`,
    webOrderId: `W${made}`,
    nodeId: NODE,
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: at,
    fulfillmentOrderDate: at,
    currency: 'USD',
    customer: { name: `Customer ${index + 1}`, email: 'a@mail.example', phone: '+1 617 555 0103' },
    destinations: [{ destinationId: 'D1', personName: { firstName: 'Cleo', lastName: 'Marsh' } }],
    billToAddress: { destinationId: 'D1' },
    shippingAddress: { destinationId: 'D1' },
    ...more,
  }));
  await sent('post', `/operator/v1/stores/${STORE}/fulfillmentOrders`, bodies);
  const where = { storeId: STORE, nodeId: NODE };
  const fulfillmentOrderIds = bodies.map(({ fulfillmentOrderId }) => fulfillmentOrderId);
  const { pickTicketDetails } = await sent('post', `/stores/${STORE}/nodes/${NODE}/pickTicket/generate`, {
    ...where,
    queueId: 'WAITING_FOR_PICK_ISPU',
    userId: 'UserId001',
    modifyAssociateId: 'UserId001',
    fulfillmentOrderIds,
  });
  const { pickTicketId } = pickTicketDetails[0];
  return { orderIds: fulfillmentOrderIds, read: () => readTicket(pickTicketId) };
}
let made = 0;

async function readTicket(pickTicketId: string) {
  const path = `/stores/${STORE}/nodes/${NODE}/pickTickets/${pickTicketId}`;
  const answer = await sent('post', path, { storeId: STORE, nodeId: NODE, pickTicketId, userId: 'UserId001' });
  return answer.pickTicketDetails as Parameters<typeof documents.pickList>[0];
}

const line = (sku: string, quantity: number, more = {}) => ({
  webLineId: sku,
  itemId: `21-${sku}`,
  quantity,
  unitPrice: 10,
  ...more,
});

const cancel = (id: string, quantity: number, webLineId = '1') =>
  sent('post', `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`, {
    reasonCode: 'CancelCustomerInitiated',
    lines: [{ webLineId, quantity }],
  });

/** Records a package of an order. */
function box(id: string, boxId: string, items: { webLineId: string; sku: string; quantity: number }[]) {
  const side = { unit: 'IN', value: 5 };
  const packageItems = items.map(({ sku, ...one }) => ({ itemId: `21-${sku}`, ...one }));
  const measures = { boxWeight: { unit: 'LB', value: 2 }, packingMaterialWeight: { unit: 'LB', value: 0 } };
  const sides = { length: side, height: side, width: side };
  return sent('put', `/stores/${STORE}/fulfillmentOrders/${id}/package/update`, {
    modifyAssociateId: 'UserId001',
    packDetails: {
      storeId: STORE,
      nodeId: NODE,
      fulfillmentOrderId: id,
      packages: [{ action: 'CREATE', boxId, ...measures, ...sides, packageItems }],
    },
  });
}

async function slipOf(id: string) {
  const where = { storeId: STORE, nodeId: NODE, fulfillmentOrderId: id };
  const path = `/stores/${STORE}/fulfillmentOrders/${id}/packslip/generate`;
  const { packSlipDetails } = await sent('post', path, { ...where, modifyAssociateId: 'UserId001' });
  return packSlipDetails[0] as Parameters<typeof documents.packSlip>[0];
}

/** Texts of the rows of a document's table. */
const rowsOf = ({ tables }: documents.PrintDocument, at = 0) => tables[at]!.rows;

describe('the amount to collect on a hold ticket and on a delivery sheet', () => {
  it('is due for the units that are left, not for the order as it was sent', async () => {
    const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 2]], more: { cashOnDelivery: 20 } });
    await cancel(id, 1);
    const order = await orderOf(id);
    const due = [{ name: 'To collect', value: '$10.00' }];
    expect(documents.holdTicket(order, ENGLISH).totals).toEqual(due);
    expect(documents.deliverySheet(order, ENGLISH).totals).toEqual(due);
  });

  it('is left out if nothing is due', async () => {
    const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 2]] });
    expect(documents.holdTicket(await orderOf(id), ENGLISH).totals).toEqual([]);
  });
});

it('a hold ticket and a delivery sheet have the held units that the customer still gets; the sheet also names canceled units', async () => {
  const id = await pickedOrder(town, 'B1', {
    lines: [
      ['MUG-WHT', 3],
      ['SOAP-LAV', 1],
    ],
  });
  await cancel(id, 1);
  await cancel(id, 1, '2');
  const order = await orderOf(id);
  expect(order.lines.map(({ heldQuantity }) => heldQuantity)).toEqual([3, 1]);
  expect(rowsOf(documents.holdTicket(order, ENGLISH))).toEqual([['Stoneware mug, white', '2']]);
  const sheet = documents.deliverySheet(order, ENGLISH);
  expect(rowsOf(sheet)).toEqual([['Stoneware mug, white', '2']]);
  expect(sheet.tables[1]!.title).toBe('Canceled: take out');
  expect(rowsOf(sheet, 1)).toEqual([
    ['Stoneware mug, white', '1'],
    ['Lavender soap', '1'],
  ]);
});

it('a hold ticket leaves out units that have not arrived', async () => {
  const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 3]] });
  const order = await orderOf(id);
  const lines = order.lines.map((line) => ({ ...line, heldQuantity: 1, openQuantity: 2 }));
  expect(rowsOf(documents.holdTicket({ ...order, lines }, ENGLISH))).toEqual([['Stoneware mug, white', '1']]);
});

describe('the items of a bundle', () => {
  it('have rows below the bundle on a pick list, with their places and the units for each tote', async () => {
    const ticket = await ticketOf({ lines: [line('SET-BATH', 2)] }, { lines: [line('SET-BATH', 1)] });
    const named = { ...ENGLISH, store: 'Town Providence', associate: 'Ana Diaz' };
    const shown = documents.pickList(await ticket.read(), named).facts.map(({ value }) => value);
    expect(shown.slice(0, 2)).toEqual(['Town Providence', 'Ana Diaz']);
    const ofOther = documents.pickList({ ...(await ticket.read()), userName: 'Bo Olsen' }, ENGLISH);
    expect(ofOther.facts[1]!.value).toBe('Bo Olsen');
    expect(rowsOf(documents.pickList(await ticket.read(), ENGLISH))).toEqual([
      ['–', 'Bath set: mug and two soaps', '400000000114', '3', 'A 2, B 1'],
      ['B-02-1', '· Stoneware mug, white, White, 12 fluid ounces', '400000000046', '3', 'A 2, B 1'],
      ['D-01-1', '· Lavender soap', '400000000084', '6', 'A 4, B 2'],
    ]);
  });

  it('have rows on hold tickets and delivery sheets, with the items of the units that are there', async () => {
    const id = await pickedOrder(town, 'B1', { lines: [['SET-BATH', 3]] });
    await cancel(id, 1);
    const rows = [
      ['Bath set: mug and two soaps', '2'],
      ['· Stoneware mug, white', '2'],
      ['· Lavender soap', '4'],
    ];
    const order = await orderOf(id);
    expect(rowsOf(documents.holdTicket(order, ENGLISH))).toEqual(rows);
    expect(rowsOf(documents.deliverySheet(order, ENGLISH))).toEqual(rows);
  });

  it('have rows on a packing slip, in the package of their bundle', async () => {
    const id = await pickedOrder(town, 'B1', { type: 'SHIP_TO_HOME', lines: [['SET-BATH', 3]] });
    await box(id, '1', [{ webLineId: '1', sku: 'SET-BATH', quantity: 2 }]);
    await box(id, '2', [{ webLineId: '1', sku: 'SET-BATH', quantity: 1 }]);
    const slip = documents.packSlip(await slipOf(id), ENGLISH);
    expect(rowsOf(slip, 0).map(([item, , quantity]) => [item, quantity])).toEqual([
      ['21-SET-BATH', '2'],
      ['· Stoneware mug, white', '2'],
      ['· Lavender soap', '4'],
    ]);
    expect(rowsOf(slip, 1).map(([, , quantity]) => quantity)).toEqual(['1', '1', '2']);
  });
});

describe('a pick list', () => {
  const gift = (text: string, type = 'GIFT_MESSAGE') => ({ instructions: [{ type, text }] });

  it('says for which tote and item an instruction is, and whether it is a gift message', async () => {
    const ticket = await ticketOf(
      { lines: [line('MUG-WHT', 1, gift('Happy birthday, Tom'))] },
      { lines: [line('MUG-WHT', 1), line('SOAP-LAV', 1, gift('Without box', 'PACKING'))] },
    );
    expect(documents.pickList(await ticket.read(), ENGLISH).notes).toEqual([
      'Tote A, Stoneware mug, white – Gift message: Happy birthday, Tom',
      'Tote B, Lavender soap – Note: Without box',
    ]);
    const alone = await ticketOf({ lines: [line('MUG-WHT', 1, gift('Happy birthday, Tom'))] });
    expect(documents.pickList(await alone.read(), ENGLISH).notes).toEqual([
      'Stoneware mug, white – Gift message: Happy birthday, Tom',
    ]);
  });

  it('leaves out units that customers have canceled in the meantime', async () => {
    const soap = line('SOAP-LAV', 1, gift('Enjoy'));
    const set = line('SET-BATH', 2);
    const ticket = await ticketOf(
      { lines: [line('MUG-WHT', 3), soap] },
      { lines: [line('MUG-WHT', 1)] },
      { lines: [line('MUG-WHT', 1), set] },
    );
    await cancel(ticket.orderIds[0]!, 1, 'MUG-WHT');
    await cancel(ticket.orderIds[0]!, 1, 'SOAP-LAV');
    await cancel(ticket.orderIds[1]!, 1, 'MUG-WHT');
    await cancel(ticket.orderIds[2]!, 1, 'SET-BATH');
    const list = documents.pickList(await ticket.read(), ENGLISH);
    expect(rowsOf(list).map(([, item, , ...units]) => [item, ...units])).toEqual([
      ['Stoneware mug, white, White, 12 fluid ounces', '3', 'A 2, C 1'],
      ['Bath set: mug and two soaps', '1', 'C 1'],
      ['· Stoneware mug, white, White, 12 fluid ounces', '1', 'C 1'],
      ['· Lavender soap', '2', 'C 2'],
    ]);
    expect(list.facts).toContainEqual({ name: 'Quantity', value: '4' });
    expect(list.notes).toEqual([]);
  });
});

describe('a packing slip', () => {
  it('has the ordered units beside the packed ones, and the lines without packed units', async () => {
    const id = await pickedOrder(town, 'B1', {
      type: 'SHIP_TO_HOME',
      lines: [
        ['MUG-WHT', 3],
        ['SOAP-LAV', 1],
      ],
    });
    await cancel(id, 1);
    await cancel(id, 1, '2');
    const slip = documents.packSlip(await slipOf(id), ENGLISH);
    expect(slip.tables.map(({ title }) => title)).toEqual([undefined, 'Not included']);
    expect(slip.tables[0]!.columns.map(({ name }) => name)).toEqual(['Item', 'Ordered', 'Quantity', 'Price']);
    expect(rowsOf(slip, 0)).toEqual([['21-MUG-WHT', '3', '2', '$10.00']]);
    expect(rowsOf(slip, 1)).toEqual([['21-SOAP-LAV', '1', '0', '$10.00']]);
  });

  it('has a returns label with the store, the customer and the order, if the web store wants one', async () => {
    const id = await pickedOrder(town, 'B1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    const slip = await slipOf(id);
    const { name, address } = (await town.client.get(`/operator/v1/clients/TOWN/nodes/${NODE}/settings`)).body;
    const returnTo = { name, address };
    expect(slip.hfrEligible).toBe(true);
    expect(documents.packSlip(slip, { ...ENGLISH, returnTo }).returnLabel).toEqual({
      title: 'Returns label',
      addresses: [
        { title: 'Return to', lines: ['Harbour Street', '1 Harbour Street', 'Newport, RI 02840', 'US'] },
        { title: 'From', lines: ['Cleo Marsh', '3 Tide Lane', 'Boston, MA 02110', 'US'] },
      ],
      code: { symbology: 'CODE128', text: id },
    });
    expect(documents.packSlip({ ...slip, hfrEligible: false }, { ...ENGLISH, returnTo }).returnLabel).toBe(undefined);
  });

  it('has the gift message of a line, but no instruction to the store', async () => {
    const instructions = [
      { type: 'PACKING', text: 'Without box' },
      { type: 'GIFT_MESSAGE', text: 'Happy birthday, Tom' },
    ];
    const more = { lines: [{ ...line('MUG-WHT', 1), instructions }] };
    const id = await pickedOrder(town, 'B1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]], more });
    expect(documents.packSlip(await slipOf(id), ENGLISH).notes).toEqual(['Happy birthday, Tom']);
  });

  it('of a complete parcel has no list of missing lines', async () => {
    const id = await pickedOrder(town, 'B1', { type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 3]] });
    expect(documents.packSlip(await slipOf(id), ENGLISH).tables).toHaveLength(1);
  });
});

it('the paper of a reverse ticket says that the goods go from their hold location back to their shelves', async () => {
  const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 2]] });
  await cancel(id, 1);
  const { reversePickTicketIds } = await orderOf(id);
  const paper = documents.pickList(await readTicket(reversePickTicketIds![0]!), ENGLISH);
  expect(paper.title).toBe('Bring back');
  expect(paper.facts).toContainEqual({ name: 'From', value: 'B1' });
  expect(paper.tables[0]!.columns[0]).toEqual({ name: 'Back to' });
  expect(rowsOf(paper)).toEqual([['B-02-1', 'Stoneware mug, white, White, 12 fluid ounces', '400000000046', '1']]);
});

it('the receipt of a return says that a refund is still to come if the return is open', () => {
  const back = { number: 'R-1', at: 0, store: 'Harbour Street', associate: 'Ana', customer: 'Cleo', orders: ['W1'] };
  const notes = (isOpen: boolean) =>
    documents.returnReceipt({ ...back, reason: undefined, lines: [], refunds: [], isOpen }, ENGLISH).notes;
  expect(notes(true)).toEqual(['If a refund is due, it is asked for when the return is closed.']);
  expect(notes(false)).toEqual(['No refund was asked for today.']);
});

it('the statement of a shipment names the carton of each line, and the user who closed it', () => {
  const counts = { announced: 2, good: 2, damaged: 0, refused: 0, held: 0, short: 0, over: 0, reasons: [] };
  const line = (cartonId?: string) => ({ ...(cartonId !== undefined && { cartonId }), clientItemId: 'MUG', ...counts });
  const of = (...lines: ReturnType<typeof line>[]) =>
    documents.receivingStatement(
      { type: 'ASN', number: 'A1', version: 1, closedAt: '2026-05-06T10:00:00Z', closedBy: 'Lee', lines },
      ENGLISH,
    );
  const paper = of(line('003400000000000017'), line('003400000000000024'));
  expect(paper.facts).toContainEqual({ name: 'Closed by', value: 'Lee' });
  expect(paper.tables[0]!.columns.slice(0, 2)).toEqual([{ name: 'Carton' }, { name: 'Item' }]);
  expect(rowsOf(paper).map((row) => row.slice(0, 3))).toEqual([
    ['003400000000000017', 'MUG', '2'],
    ['003400000000000024', 'MUG', '2'],
  ]);
  expect(of(line()).tables[0]!.columns[0]).toEqual({ name: 'Item' });
});
