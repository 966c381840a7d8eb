/** An installation with one client, one store and one node, and files to import into it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { seededPorts } from '../../../src/platform/ports.ts';
import { createSealer } from '../../../src/platform/secrets.ts';
import { type ImportOptions, type ImportSummary, importFile } from '../../../src/service/import/run.ts';
import { type Backroom, OPERATOR_KEY, openBackroom } from '../../support/backroom.ts';

// The folder is deleted with the folder of the run.
const folder = mkdtempSync(join(tmpdir(), 'import-'));
let files = 0;

/** Writes an input file in a new folder and returns its path. */
export function inputFile(name: string, content: string | Buffer): string {
  const path = join(mkdtempSync(join(folder, `${++files}-`)), name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(content) : content);
  return path;
}

export interface Shop {
  backroom: Backroom;
  run: (options: Omit<ImportOptions, 'clientId'>) => Promise<ImportSummary>;
}

export async function openShop(): Promise<Shop> {
  const backroom = await openBackroom();
  await backroom.operator('PUT', '/operator/v1/clients/SHOP', { name: 'Shop', catalogIds: ['A'] });
  await backroom.operator('PUT', '/operator/v1/clients/SHOP/stores/WEB', {
    name: 'Web',
    catalogId: 'A',
    sellerId: 'SHOP',
    storeCode: 'W',
    currency: 'GBP',
  });
  await backroom.operator('PUT', '/operator/v1/clients/SHOP/nodes/N1', node('N1'));
  const { store, clock } = backroom;
  const ports = seededPorts('imports', clock, createLog('silent'));
  const installation = {
    config: loadConfig({ BACKROOM_OPERATOR_KEY: OPERATOR_KEY }),
    store,
    ports,
    sealer: createSealer(Buffer.alloc(32, 0xab)),
  };
  return { backroom, run: (options) => importFile(installation, { clientId: 'SHOP', ...options }) };
}

export function node(nodeId: string) {
  return {
    nodeId,
    name: `Node ${nodeId}`,
    nodeType: 'STORE',
    timeZone: 'Europe/London',
    address: { line1: '1 Road', city: 'London', mainDivisionCode: '', postalCode: 'N1', countryCode: 'GB' },
    phone: '1',
    openingHours: [],
    holdLocations: [],
    fulfillmentTypes: ['STORE_PICK_UP'],
  };
}

/** Returns an item with every required field; its id is `A-<code>`. */
export function item(code: string, more: object = {}) {
  return {
    clientId: 'SHOP',
    catalogId: 'A',
    clientItemId: code,
    itemId: `A-${code}`,
    description: `Item ${code}`,
    salesClass: 'stock',
    styleId: '',
    taxCode: '',
    type: 'MERCH',
    ...more,
  };
}

export const ITEM_COLUMNS =
  'clientId,catalogId,clientItemId,itemId,description,salesClass,styleId,taxCode,type,unitCost.currency,unitCost.value';

/** Returns an item as a CSV row of `ITEM_COLUMNS`. */
export function itemRow(code: string, description = `Item ${code}`, cost = '1.10'): string {
  return `SHOP,A,${code},A-${code},${description},stock,,,MERCH,GBP,${cost}`;
}

export function order(id: string, lines: object[], more: object = {}) {
  return {
    fulfillmentOrderId: id,
    omsOrderId: id,
    webOrderId: id,
    nodeId: 'N1',
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: '2026-03-01T10:00:00Z',
    currency: 'GBP',
    carrier: '',
    service: '',
    customer: { name: 'Ann Orr', email: 'ann@example.com', phone: '5550100' },
    destinations: [{ destinationId: 'HOME' }],
    billToAddress: { destinationId: 'HOME' },
    shippingAddress: { destinationId: 'HOME' },
    lines,
    ...more,
  };
}
