/** Commands of items and of inbound shipments. */
import fc from 'fast-check';
import { type Command, type Rule, rule } from './command.ts';
import { CHECKED, INFINITE } from './model.ts';
import { arrivalsOf } from './shipments.ts';
import { itemId, storeOf } from './world.ts';

const sku = { sku: fc.nat(2) };
const number = { number: fc.nat(2) };

export const catalog: Record<string, Rule<Command>> = {
  putItem: rule({
    weight: 3,
    members: fc.record({ ...sku, title: fc.nat(2) }),
    send: (world, { sku, title }) =>
      world.call('PUT', `/item-service/clients/${world.id}/items/${itemId(sku)}`, {
        catalogId: '21',
        clientId: world.id,
        clientItemId: `SKU${sku}`,
        itemId: itemId(sku),
        type: 'MERCH',
        salesClass: 'stock',
        styleId: '',
        taxCode: '',
        associateDeliveryEligible: true,
        description: `title ${title}`,
        ...(title === INFINITE && { infiniteInventory: true }),
        ...(title === CHECKED && { inventoryCheckEligible: true }),
      }),
    expect({ items }, { sku, title }) {
      const isNew = !items.has(sku);
      items.set(sku, title);
      return { status: isNew ? 201 : 200 };
    },
  }),
  readItem: rule({
    weight: 1,
    members: fc.record(sku),
    send: (world, { sku }) => world.call('GET', `/item-service/stores/${storeOf(world)}/items/${itemId(sku)}`),
    expect: ({ items }, { sku }) =>
      items.has(sku) ? { status: 200, shows: `title ${items.get(sku)}` } : { status: 404 },
    shows: (body: { description: string }) => body.description,
  }),
  deleteItem: rule({
    weight: 1,
    members: fc.record(sku),
    send: (world, { sku }) => world.call('DELETE', `/item-service/clients/${world.id}/items/${itemId(sku)}`),
    expect: ({ items }, { sku }) => ({ status: items.delete(sku) ? 204 : 404 }),
  }),
  itemHistory: rule({
    weight: 1,
    members: fc.record(sku),
    send: ({ operator, id }, { sku }) => operator('GET', `/operator/v1/clients/${id}/items/${itemId(sku)}/history`),
    expect: ({ items }, { sku }) => ({ status: 200, shows: items.has(sku) }),
    shows: (body: { exists: boolean }) => body.exists,
  }),
  transmit: rule({
    weight: 2,
    members: fc.record({ ...number, quantity: fc.integer({ min: 1, max: 2 }), ...sku }),
    send(world, { number, quantity, sku }) {
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
      const body = { poData: [{ header, details: { detail: [line] } }] };
      return world.call('POST', `/poasn-manager-service/sellers/${world.id}-S/poasn/create`, body);
    },
    expect({ inbound, items }, { number, quantity, sku }) {
      const content = `${quantity} of ${sku}`;
      // A stored message gets the same response again, even if its item was deleted in the meantime.
      if (inbound.get(number) === content) return { status: 200 };
      if (inbound.has(number) || !items.has(sku)) return { status: 400 };
      inbound.set(number, content);
      return { status: 200 };
    },
  }),
  readInbound: rule({
    weight: 1,
    members: fc.record(number),
    send: ({ operator, id }, { number }) => operator('GET', `/operator/v1/clients/${id}/inbound/PO/PO-${number}`),
    expect: ({ inbound }, { number }) => ({ status: inbound.has(number) ? 200 : 404 }),
  }),
  voidInbound: rule({
    weight: 1,
    members: fc.record(number),
    send: ({ operator, id }, { number }) => operator('DELETE', `/operator/v1/clients/${id}/inbound/PO/PO-${number}`),
    expect: ({ inbound }, { number }) => ({ status: inbound.delete(number) ? 204 : 404 }),
  }),
  listInbound: rule({
    weight: 1,
    members: fc.constant({}),
    send: ({ operator, id }) => operator('GET', `/operator/v1/clients/${id}/inbound`),
    expect: (model) => ({
      status: 200,
      shows: [...model.inbound.keys(), ...arrivalsOf(model, 'PO').map(({ number }) => Number(number.slice(3)))].sort(),
    }),
    shows: (body: { inbound: { type: string; number: string }[] }) =>
      body.inbound.flatMap(({ type, number }) => (type === 'PO' ? Number(number.slice(3)) : [])).sort(),
  }),
};
