/**
 * The documents and labels of the tests, drawn with the console's own components. `globalThis.lab` shows one at a time.
 */
import { PrintedDocument } from '../../../console/print/document.tsx';
import {
  type Branding,
  deliverySheet,
  handOverReceipt,
  holdTicket,
  type PrintDocument,
  packSlip,
  pickList,
  receivingStatement,
  returnReceipt,
} from '../../../console/print/documents.ts';
import { PrintedLabel } from '../../../console/print/label.tsx';
import {
  badgeLabel,
  cartonIdLabel,
  cartonLabel,
  commandCard,
  itemLabel,
  type Label,
  placeLabel,
  toteLabel,
} from '../../../console/print/labels.ts';
import type { Paper } from '../../../console/print/paper.ts';
import { showPaper } from '../../../console/print/print.ts';
import { type Dpi, zplOf } from '../../../console/print/zpl.ts';

const ORDER = '100000000501001';
const address = {
  destinationId: 'D1',
  personName: { firstName: 'Ada', lastName: 'Mürrén' },
  address: {
    line1: '1 Long Street',
    city: 'Springfield',
    mainDivisionCode: 'IL',
    postalCode: '62701',
    countryCode: 'US',
  },
  phone: '+1 555 0100',
  email: 'ada@example.com',
};
const total = { grandTotal: 42.5, grandTax: 2.5, grandCharges: 5, hdrTax: 0, hdrCharges: 5, cashOnDelivery: 42.5 };
const line = (at: number) => ({
  webLineId: `L${at}`,
  itemId: `ITEM-${at}`,
  itemDesc: `Mug, white, 300 ml, number ${at}`,
  heldQuantity: at,
  leftQuantity: at,
  quantity: at,
});
const lines = Array.from({ length: 30 }, (_, at) => line(at + 1));

const order = {
  fulfillmentOrderId: ORDER,
  webOrderId: 'W-77',
  nodeId: 'Store001',
  orderDate: '2026-11-20T10:00:00Z',
  currency: 'USD',
  orderTotal: total,
  holdLocation: 'A-04-2',
  customer: { name: 'Ada Mürrén', email: '', phone: '+1 555 0100' },
  slaDate: { slaTypeId: 'DELIVERY', value: '2026-11-22T14:05:00Z' },
  destinations: [address],
  shippingAddress: { destinationId: 'D1' },
  lines: lines.slice(0, 4),
} as unknown as Parameters<typeof holdTicket>[0];

const ticket = {
  pickTicketId: '100017',
  nodeId: 'Store001',
  userId: 'UserId001',
  pickSLADate: '2026-11-22T14:05:00Z',
  totalQuantity: 60,
  orders: [
    { fulfillmentOrderId: ORDER, tote: 'A', customerName: 'Ada Mürrén' },
    { fulfillmentOrderId: '100000000501002', tote: 'B' },
  ],
  pickTicketItems: lines.map(({ itemDesc, itemId }, at) => ({
    quantity: 2,
    pickLocation: `A-0${at % 9}-2`,
    itemDetails: { itemId, itemDesc, color: 'white', size: '', upcs: [{ type: 'EAN', value: '4006381333931' }] },
    orders: [
      { tote: 'A', quantity: 1 },
      { tote: 'B', quantity: 1 },
    ],
  })),
} as unknown as Parameters<typeof pickList>[0];

const returnTo = { name: 'Harbour Street', address: address.address };
const slip = {
  hfrEligible: true,
  fulfillmentOrder: {
    fulfillmentOrderId: ORDER,
    omsOrderId: 'OMS-9',
    orderDate: '2026-11-20T10:00:00Z',
    currency: 'USD',
    carrier: 'UPS',
    service: 'Ground',
    packages: [
      { packageId: '1', packageItems: lines.slice(0, 5) },
      { packageId: '2', packageItems: lines.slice(5, 8) },
    ],
    fulfillmentOrderItems: lines.slice(0, 10).map((one, at) => ({
      ...one,
      orderedQuantity: at + 2,
      itemDetails: { itemId: one.itemId },
      itemTotal: { unitPrice: 3.5 },
    })),
    destinations: [address],
    billToAddress: { destinationId: 'D1' },
    shippingAddress: { destinationId: 'D1' },
    orderTotal: total,
  },
} as unknown as Parameters<typeof packSlip>[0];

const statement = {
  type: 'ASN',
  number: 'ASN-2026-000123',
  version: 1,
  closedAt: '2026-11-22T14:05:00Z',
  closedBy: 'Lee Marsh',
  lines: lines.map(({ itemId }) => ({
    cartonId: '00000123456789012343',
    clientItemId: itemId,
    announced: 10,
    good: 8,
    damaged: 1,
    refused: 0,
    held: 0,
    short: 1,
    over: 0,
    reasons: ['CRUSHED'],
  })),
};

const language = { language: 'de', timeZone: 'America/New_York' };
const documents: Record<string, PrintDocument> = {
  pickList: pickList(ticket, language),
  packSlip: packSlip(slip, { ...language, describe: (itemId) => `Tasse ${itemId}`, returnTo }),
  holdTicket: holdTicket(order, { language: 'es' }),
  receipt: handOverReceipt(
    order,
    { at: '2026-11-22T15:00:00Z', associate: 'UserId001', items: lines.slice(0, 3), paid: '42.5' },
    { language: 'en' },
  ),
  deliverySheet: deliverySheet(order, language),
  receivingStatement: receivingStatement(statement, language),
  returnReceipt: returnReceipt(
    {
      number: 'R-2001',
      at: '2026-11-22T15:00:00Z',
      store: 'Harbour Street',
      associate: 'Ana Ruiz',
      customer: 'Ada Mürrén',
      orders: ['W-100'],
      reason: 'Does not fit',
      lines: [
        { itemDesc: 'Mug, white', itemId: '21-MUG-WHT', taken: 2, givenBack: 0 },
        { itemDesc: 'Desk lamp', itemId: '21-LAMP-BRS', taken: 0, givenBack: 1 },
      ],
      refunds: [{ amount: '39.98', currency: 'USD' }],
      isOpen: false,
    },
    { language: 'es' },
  ),
  // An identifier of the maximum length is too wide for a bar code.
  longNumber: holdTicket({ ...order, fulfillmentOrderId: 'ORDER-0123456789-0123456789-0123456789-X' }, language),
  otherLetters: holdTicket({ ...order, fulfillmentOrderId: 'R-Ö1' }, language),
};
const labels: Record<string, Label> = {
  tote: toteLabel({ tote: 'B', code: 'TOTE-000017', order: ORDER }),
  carton: cartonLabel({
    sscc: '340123450000000017',
    from: ['Warehouse 1'],
    to: ['Store 001', '1 Long Street'],
    lines: ['PO 4711'],
  }),
  cartonSscc: cartonIdLabel({ cartonId: '00000123456789012343', to: 'Store 001', of: 'ASN 4711' }),
  // 18 digits that are no SSCC, because their check digit is wrong.
  cartonDigits: cartonIdLabel({ cartonId: '000123456789012348', to: 'Store 001', of: 'ASN 4711' }),
  placeLonger: placeLabel({ place: 'A-04-02-03-LEFT1' }),
  placeLongest: placeLabel({ place: 'WAREHOUSE-04-02-03-LEFT-OF-THE-DOOR-0001', name: 'Shelf behind the counter' }),
  placeUmlaut: placeLabel({ place: 'R-Ö1' }),
  cartonUmlaut: cartonIdLabel({ cartonId: 'Kartón 3', of: 'ASN LIEF-Ä7' }),
  itemCyrillic: itemLabel({ description: 'Кружка', itemId: 'КРУЖКА-1', code: 'КРУЖКА-1' }),
  placeWide: placeLabel({ place: 'W'.repeat(40) }),
  // A code that is too wide for bars.
  itemLong: itemLabel({
    description: 'Mug, white, with the picture of a lighthouse, 300 ml, dishwasher-safe',
    itemId: '21-MUG-WHT-LIGHTHOUSE-300',
    code: '21-MUG-WHT-LIGHTHOUSE-300',
  }),
  place: placeLabel({ place: 'A-04-2', name: 'Shelf behind the counter' }),
  box: {
    widthMm: 100,
    heightMm: 150,
    lines: [
      { text: 'Maximiliane-Friederike von Hohenlohe-Langenburg', mm: 6, isBold: true },
      { text: 'Bürgermeister-Petersen-Straße 112 a, Hinterhaus', mm: 6 },
      { text: '24103 Kiel', mm: 6 },
      { text: 'Order W-77 · box 1', mm: 4.5 },
    ],
    code: { symbology: 'CODE128', text: '1Z999AA10123456784' },
  },
  item: itemLabel({ description: 'Mug, white', itemId: '21-MUG-WHT', code: '4006381333931' }),
  itemUpc: itemLabel({ description: 'Mug, white', itemId: '21-MUG-WHT', code: '042100005264' }),
  itemEan8: itemLabel({ description: 'Gum', itemId: 'GUM', code: '96385074' }),
  itemCase: itemLabel({ description: 'Case of mugs', itemId: '21-MUG-CS', code: '14006381333938' }),
  itemOwn: itemLabel({ description: 'Own code', itemId: '21-OWN', code: 'ITM-77^~_\\X' }),
  badge: badgeLabel({ name: 'Mara Müller', badge: 'BR-8c1fa27e5b0d4f93a6cc', store: 'Store 001' }),
  ok: commandCard({ command: 'OK', name: 'OK' }),
  short: commandCard({ command: 'SHORT', name: 'Fehlt' }),
  undo: commandCard({ command: 'UNDO', name: 'Zurücknehmen' }),
};

const branding: Branding = {
  logoUrl:
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="120" height="40"%3E%3Crect width="120" height="40" fill="%23246"/%3E%3C/svg%3E',
  header: 'Example Store',
  footer: 'Example Inc.\nwww.example.com',
  returnText: 'Return within 30 days.',
};

let close: (() => void) | undefined;

const lab = {
  documents: Object.keys(documents),
  /** The code that a scanner must read from each label. */
  labels: Object.fromEntries(Object.entries(labels).map(([name, { code }]) => [name, code.text])),
  codeOf: (name: string) => documents[name]!.code.text,
  async showDocuments(names: readonly string[], paper: Paper) {
    close?.();
    const pages = names.map((name) => <PrintedDocument content={documents[name]!} paper={paper} branding={branding} />);
    close = await showPaper(pages, paper);
  },
  async showDocumentWithLogo(name: string, logoUrl: string) {
    close?.();
    close = await showPaper(<PrintedDocument content={documents[name]!} paper="A4" branding={{ logoUrl }} />, 'A4');
  },
  async showLabel(name: string) {
    close?.();
    close = await showPaper(<PrintedLabel label={labels[name]!} />, labels[name]!);
  },
  /** Shows two labels: the first can be drawn, the second cannot. */
  async showBroken() {
    close?.();
    close = undefined;
    const broken = { ...labels.carton!, code: { symbology: 'SSCC', text: '000123456789012348' } } as const;
    await showPaper(
      [labels.carton!, broken].map((label) => <PrintedLabel label={label} />),
      broken,
    );
  },
  texts: Object.fromEntries(
    Object.entries(labels).map(([name, { lines: all, code }]) => [
      name,
      [...all.map(({ text }) => text), ...(code.isSecret === true ? [] : [code.text])],
    ]),
  ),
  zplOfPlace: (place: string, dpi: Dpi) => zplOf(placeLabel({ place }), dpi),
  zpl: (name: string, dpi: Dpi) => zplOf(labels[name]!, dpi),
};
export type PrintLab = typeof lab;
Object.assign(globalThis, { lab });
