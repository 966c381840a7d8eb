/** The tour of goods: the item master, what comes in, and the stock of a node. */
import { harbourStreet, TOWN_ASSOCIATE } from '../town.ts';
import { type Stop, TOWN } from './stop.ts';

/** Items come one by one and as a file. */
export function itemStops(): Stop[] {
  const item = {
    catalogId: '21',
    clientId: 'TOWN',
    clientItemId: 'DEMO-1',
    itemId: '21-DEMO-1',
    description: 'Enamel pot',
    salesClass: 'stock',
    styleId: 'POT',
    taxCode: '76800',
    type: 'MERCH',
    unitCost: { currency: 'USD', value: 12.5 },
  };
  const csv =
    'catalogId,clientId,clientItemId,itemId,salesClass,styleId,taxCode,type,upcs.0.upcType,upcs.0.upc\\n21,TOWN,DEMO-2,21-DEMO-2,stock,POT,76800,MERCH,UPC,400638133393\\n';
  return [
    { operationId: 'readItem', path: '/item-service/stores/TOWN_US/items/21-MUG-WHT' },
    { operationId: 'putItem', path: '/item-service/clients/TOWN/items/21-DEMO-1', body: item },
    { operationId: 'uploadItems', path: '/item-service/clients/TOWN/upload', csv },
    { operationId: 'listItems', path: `${TOWN}/items?q=mug` },
    { operationId: 'readItemHistory', path: `${TOWN}/items/21-DEMO-1/history` },
  ];
}

/** A PO is announced and taken back. */
export function inboundStops(): Stop[] {
  const poData = {
    header: {
      storeCode: '988',
      receivingType: 'P',
      shipmentNumber: 'PO-1001',
      shipmentReceiptDate: '2030-01-15',
      shipperName: 'Pottery Ltd',
      receivingWarehouseId: 'DC001',
    },
    details: {
      detail: [
        {
          clientItemId: 'MUG-WHT',
          shippedQuantity: 24,
          itemCost: 3.75,
          trailerNumber: 'T-7',
          receivingWarehouseId: 'DC001',
        },
      ],
    },
  };
  return [
    {
      operationId: 'transmitInbound',
      path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
      body: { poData: [poData] },
    },
    { operationId: 'listInbound', path: `${TOWN}/inbound` },
    { operationId: 'readInbound', path: `${TOWN}/inbound/PO/PO-1001` },
    { operationId: 'voidInbound', path: `${TOWN}/inbound/PO/PO-1001` },
  ];
}

/** An ASN of one carton that brings one mug more than it says. */
export function goodsInStops(): Stop[] {
  const inbound = `${TOWN}/nodes/TOWN-DC001/inbound`;
  const [cartonId, itemId, userId] = ['003400000000000017', '21-MUG-WHT', TOWN_ASSOCIATE] as const;
  const asnData = {
    header: {
      storeCode: '988',
      receivingType: 'A',
      asnNumber: 'ASN-1001',
      shipmentReceiptDate: '2030-01-15',
      shipperName: 'Pottery Ltd',
      receivingWarehouseId: 'DC001',
    },
    details: {
      detail: [
        {
          asnNumber: 'ASN-1001',
          cartonId,
          clientItemId: 'MUG-WHT',
          shippedQuantity: 24,
          itemCost: 3.75,
          trailerNumber: 'T-7',
          receivingWarehouseId: 'DC001',
        },
      ],
    },
  };
  return [
    {
      operationId: 'transmitInbound',
      path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
      body: { asnData: [asnData] },
    },
    { operationId: 'listNodeInbound', path: `${inbound}?type=ASN` },
    { operationId: 'readNodeInbound', path: `${inbound}/ASN/ASN-1001` },
    { operationId: 'arriveInbound', path: `${inbound}/ASN/ASN-1001/arrive`, body: { userId } },
    {
      operationId: 'receiveInbound',
      path: `${inbound}/ASN/ASN-1001/receipts`,
      body: { receiptId: 'dock-1-0001', userId, lines: [{ cartonId, itemId, good: 25 }] },
    },
    {
      operationId: 'approveInbound',
      path: `${inbound}/ASN/ASN-1001/approve`,
      body: { approvalId: 'ok-1', userId, lines: [{ cartonId, itemId, good: 1 }] },
    },
    {
      operationId: 'closeInbound',
      path: `${inbound}/ASN/ASN-1001/close`,
      body: { closeId: 'close-1', userId, reasons: [{ itemId, reason: 'ONE MORE' }] },
    },
    {
      operationId: 'reopenInbound',
      path: `${inbound}/ASN/ASN-1001/reopen`,
      body: { userId, reason: 'ANOTHER CARTON' },
    },
    {
      operationId: 'openBlindInbound',
      path: `${inbound}/BLIND`,
      body: { number: 'B-1001', userId, sellerId: 'TOWNS' },
    },
    {
      operationId: 'matchInbound',
      path: `${inbound}/BLIND/B-1001/match`,
      body: { type: 'ASN', number: 'ASN-1001' },
    },
  ];
}

/** A node keeps its stock: what is on the shelf is counted, one mug is broken, and a second count waits for a lead. */
export function stockStops(): Stop[] {
  const node = `${TOWN}/nodes/TOWN-Store001`;
  const mug = '21-MUG-WHT';
  const count = (countId: string, counted: number) => ({
    operationId: 'countStock',
    path: `${node}/counts`,
    body: { countId, userId: 'cleo', lines: [{ itemId: mug, counted, revision: 1 }] },
  });
  const broken = { itemId: mug, from: 'SHELF', to: 'DAMAGED', quantity: 1, reason: 'Broken' };
  return [
    { operationId: 'putNode', path: node, body: { ...harbourStreet, stock: 'KEPT' } },
    count('monday-1', 12),
    { operationId: 'moveStock', path: `${node}/stock/moves`, body: { moveId: 'm-1', userId: 'leo', lines: [broken] } },
    count('monday-2', 11),
    { operationId: 'listCounts', path: `${node}/counts?state=WAITING` },
    { operationId: 'approveCount', path: `${node}/counts/monday-2/approve`, body: { userId: 'leo' } },
    { operationId: 'listStock', path: `${node}/stock?itemId=${mug}` },
    { operationId: 'listStockMoves', path: `${node}/stock/${mug}/moves` },
    { operationId: 'listStockTransactions', path: `${node}/stock/transactions` },
    { operationId: 'listStockOfItem', path: `${TOWN}/stock?itemId=${mug}` },
    { operationId: 'listWantedCounts', path: `${node}/counts/wanted` },
  ];
}

export function lastStops(): Stop[] {
  return [{ operationId: 'deleteItem', path: '/item-service/clients/TOWN/items/21-DEMO-1' }];
}
