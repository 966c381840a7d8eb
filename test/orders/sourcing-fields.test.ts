/** The sourcing fields of items, as shown in requests of declined units. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Members } from '../picking/picking.ts';
import { type Flow, OTHER_NODE, openFlow } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

const item = async (sku: string, members: Members) => {
  const answer = await town.client.put(`/item-service/clients/TOWN/items/21-${sku}?merge=true`, members);
  expect(answer.status, answer.text).toBe(200);
};

describe('a re-source request', () => {
  it('shows the sourcing fields of the items at intake of the order, and no field without a value', async () => {
    const dropShipSupplier = { name: 'Lumen Direct', number: 'LD-1', partNumber: 'LW77' };
    await item('LAMP-BRS', {
      fulfillmentOverride: 'WarehouseOnly',
      sourcingOverride: 'DC-FIRST',
      sourcingPreference: 'NEAREST',
      dropShipped: true,
      dropShipSupplier,
      minShipmentProcessingDays: 1.5,
      maxShipmentProcessingDays: 2.5,
    });
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [0, 0]);
    await item('LAMP-BRS', { fulfillmentOverride: 'StoreOnly' });
    const [request] = await town.requestsOf(orderId);
    expect((request!['lines'] as Members[]).map((line) => [line['itemId'], line['sourcing']])).toEqual([
      ['21-SOAP-LAV', undefined],
      [
        '21-LAMP-BRS',
        {
          fulfillmentOverride: 'WarehouseOnly',
          sourcingOverride: 'DC-FIRST',
          sourcingPreference: 'NEAREST',
          dropShipped: true,
          dropShipSupplier,
          minShipmentProcessingDays: 1,
          maxShipmentProcessingDays: 3,
        },
      ],
    ]);
    const one = await town.client.get(`/operator/v1/stores/TOWN_US/resourceRequests/${String(request!['requestId'])}`);
    expect(one.body.lines).toEqual(request!['lines']);
  });

  it('creates an order of the same bundles, without a check of the street date of units allocated before', async () => {
    const orderId = await town.order({ type: 'SHIP_TO_HOME', lines: [['SET-BATH', 3]] });
    const ticket = await town.ticket([orderId], 'WAITING_FOR_PICK_SFS');
    const missing = { pickedQuantity: 1, canceledQuantity: 2, cancellationReasonCode: 'CancelMXOutOfStock' };
    await town.confirm(ticket, [{ id: 1, itemId: '21-SET-BATH', ...missing }]);
    await item('SOAP-LAV', { streetDate: '2099-01-01' });
    const [request] = await town.requestsOf(orderId);
    const body = { outcome: 'RESOURCE', nodeId: OTHER_NODE, fulfillmentOrderId: 'ELSEWHERE' };
    const answer = await town.answer(request!['requestId'], body);
    expect(answer.status, answer.text).toBe(200);
    await item('SOAP-LAV', { streetDate: '' });
    const made = (await town.client.get('/operator/v1/stores/TOWN_US/fulfillmentOrders/ELSEWHERE')).body;
    expect(String(made.status)).toBe('1100');
    expect(made.lines[0].components.map((one: Members) => [one['itemId'], one['quantity']])).toEqual([
      ['21-MUG-WHT', 2],
      ['21-SOAP-LAV', 4],
    ]);
  });
});
