/** An order picked with a ticket and packed with a slip, through the API alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const generate = (fulfillmentOrderId: string) =>
  town.client.post(`/stores/TOWN_US/fulfillmentOrders/${fulfillmentOrderId}/packslip/generate`, {
    storeId: 'TOWN_US',
    nodeId: 'TOWN-Store001',
    modifyAssociateId: 'UserId001',
    fulfillmentOrderId,
  });

describe('pack slip in the town', () => {
  it('follows a confirmed pick', async () => {
    const slip = (await generate(town.orders.picked)).body.packSlipDetails[0];
    expect(slip).toMatchObject({ packSlipId: '500001', hfrEligible: true });
    expect(slip.fulfillmentOrder).toMatchObject({
      status: '1200',
      packages: [
        {
          packageId: '1',
          packageItems: [
            { webLineId: '1', quantity: 3 },
            { webLineId: '2', quantity: 2 },
          ],
        },
      ],
      orderTotal: { grandTotal: 93.53, grandTax: 6.06, grandCharges: 8.5, hdrTax: 0.53, hdrCharges: 7.5 },
    });
  });

  it('follows a short pick with the units that were picked', async () => {
    const node = '/stores/TOWN_US/nodes/TOWN-Store001';
    const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', userId: 'UserId001' };
    const made = await town.client.post(`${node}/pickTicket/generate`, {
      ...where,
      queueId: 'WAITING_FOR_PICK_SFS',
      fulfillmentOrderIds: [town.orders.toShip],
      modifyAssociateId: 'UserId001',
    });
    const ticket = made.body.pickTicketDetails[0];
    const items = ticket.pickTicketItems.map(
      (item: { id: number; itemDetails: { itemId: string }; quantity: number }) =>
        item.quantity === 1
          ? { id: item.id, itemId: item.itemDetails.itemId, pickedQuantity: 1 }
          : { id: item.id, itemId: item.itemDetails.itemId, canceledQuantity: 3, cancellationReasonCode: 'IPD' },
    );
    const confirmed = await town.client.put(`${node}/pickTicket/update`, {
      modifyAssociateId: 'UserId001',
      pickTicketDetails: {
        ...where,
        pickTicketId: ticket.pickTicketId,
        action: 'CONFIRM',
        holdLocation: 'A1',
        pickTicketItems: items,
      },
    });
    expect(confirmed.status).toBe(204);
    const { packages, orderTotal, fulfillmentOrderItems } = (await generate(town.orders.toShip)).body.packSlipDetails[0]
      .fulfillmentOrder;
    expect(packages[0].packageItems).toEqual([
      { webLineId: '1', quantity: 1 },
      { webLineId: '2', quantity: 1 },
    ]);
    // Amounts of 1 of 4 units at 4.25; the first unit gets 0.30 of the line's tax of 1.19.
    expect(fulfillmentOrderItems[1].itemTotal).toEqual({ unitPrice: 4.25, extendedPrice: 4.25, charges: 0, tax: 0.3 });
    expect(orderTotal).toEqual({
      grandTotal: 33.81,
      grandTax: 2.12,
      grandCharges: 7.45,
      hdrTax: 0.42,
      hdrCharges: 5.95,
    });
  });

  it('is rejected for an order that waits for its pick, is on a ticket, or was returned for re-sourcing', async () => {
    expect((await generate(town.orders.returned)).body.description).toContain('9100 Returned for re-sourcing');
    expect((await generate(town.orders.onTicket)).body.description).toContain('STORE_PICK_UP');
  });
});
