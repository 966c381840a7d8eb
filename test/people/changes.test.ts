import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenTown, openTown, signedIn } from '../support/town.ts';
import { USERS } from './support.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const TICKETS = '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket';
const orderPath = (id: string) => `/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}`;
const correction = { correctionId: 'k', reason: 'Counted again', pickTicketItems: [{ id: 1, pickedQuantity: 1 }] };

describe('changes of orders by people', () => {
  it('need the permission to change orders; a user without the permission for contacts gets none in the response', async () => {
    const id = town.orders.ready;
    const message = { changeId: 'c', userId: 'ana', note: 'Comes on Saturday' };
    const ana = await town.signIn('associate');
    expect((await ana.post(`${orderPath(id)}/change`, message)).status).toBe(403);
    const ivo = { name: 'Ivo', role: 'integrator', password: 'correct horse battery', nodeIds: [] };
    await town.operator('PUT', `${USERS}/ivo`, ivo);
    const integrator = await signedIn(town.call, { clientId: 'TOWN', userId: 'ivo', password: ivo.password });
    const blind = await integrator.post(`${orderPath(id)}/change`, { ...message, userId: 'ivo' });
    expect(blind.body).toMatchObject({ customer: { email: '', phone: '' }, notes: [{ userId: 'ivo' }] });
    const mara = await town.signIn('manager');
    const seen = await mara.post(`${orderPath(id)}/change`, { changeId: 'd', userId: 'mara', note: 'Or on Sunday' });
    expect(seen.body.customer.email).not.toBe('');
  });

  it('an associate corrects only own tickets, a lead also those of others', async () => {
    const ana = await town.signIn('associate');
    const { body } = await ana.post(`${TICKETS}/generate`, {
      ...WHERE,
      userId: 'ana',
      modifyAssociateId: 'ana',
      queueId: 'WAITING_FOR_PICK_ISPU',
      fulfillmentOrderIds: [town.orders.waitingToo],
    });
    const [ticket] = body.pickTicketDetails;
    const { pickTicketId, holdLocation } = ticket;
    const pickTicketItems = ticket.pickTicketItems.map(
      ({ id, itemDetails, quantity }: { id: number; itemDetails: { itemId: string }; quantity: number }) => ({
        id,
        itemId: itemDetails.itemId,
        pickedQuantity: 0,
        canceledQuantity: quantity,
        cancellationReasonCode: 'CancelMXOutOfStock',
      }),
    );
    const confirm = { ...WHERE, pickTicketId, userId: 'ana', action: 'CONFIRM', holdLocation, pickTicketItems };
    const confirmed = await ana.put(`${TICKETS}/update`, { modifyAssociateId: 'ana', pickTicketDetails: confirm });
    expect(confirmed.status, confirmed.text).toBe(204);
    const path = (id: string) => `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${id}/correct`;
    const mine = await ana.post(path(pickTicketId), { ...correction, userId: 'ana' });
    expect(mine.status, mine.text).toBe(200);
    const others = await ana.post(path(town.tickets.canceled), { ...correction, userId: 'ana' });
    expect([others.status, others.body.code]).toEqual([403, 'ACCESS_DENIED']);
    const leo = await town.signIn('lead');
    expect((await leo.post(path(town.tickets.canceled), { ...correction, userId: 'leo' })).status).toBe(200);
  });
});
