/** Documents as data, built from responses of the service. `document.tsx` draws them on any paper. */
import type { components } from '../../contract/client.d.ts';
import { linesOf } from '../work/address.ts';
import type { CodeText } from './symbols.ts';
import type { PrintTexts } from './texts/en.ts';
import { textsOf } from './texts/index.ts';

type Schemas = components['schemas'];
type PickTicket = Schemas['PickTicketDetails'];
type PackSlip = Schemas['PackSlip'];
type Order = Schemas['OrderDetails'];
type Component = Schemas['BundleComponent'];
type Money = string | number;

/** The content of a document, from top to bottom. */
export interface PrintDocument {
  title: string;
  /** The number that people read aloud and scanners read. */
  number: string;
  code: CodeText;
  /** Large text that is readable from a distance: the name or place of held goods. */
  big?: string;
  facts: readonly Fact[];
  addresses?: readonly AddressBlock[];
  tables: readonly PrintTable[];
  totals?: readonly Fact[];
  notes?: readonly string[];
  /** Labels of the lines to sign on. */
  signatures?: readonly string[];
  /** A label at the end, to cut off and stick on a parcel that comes back. */
  returnLabel?: { title: string; addresses: readonly AddressBlock[]; code: CodeText };
  language: string;
}

interface AddressBlock {
  title: string;
  lines: readonly string[];
}

export interface Fact {
  name: string;
  value: string;
}

export interface PrintTable {
  title?: string;
  columns: readonly { name: string; isNumber?: boolean }[];
  rows: readonly (readonly string[])[];
}

/** The client's texts and logo for every document (the setting `printing`). */
export interface Branding {
  logoUrl?: string;
  header?: string;
  footer?: string;
  returnText?: string;
}

/** Formats dates, numbers and money in the reader's language. */
class Writer {
  readonly language: string;
  readonly texts: PrintTexts;
  readonly #timeZone: string | undefined;

  constructor(language: string, timeZone?: string) {
    this.language = language;
    this.texts = textsOf(language);
    this.#timeZone = timeZone;
  }

  date(at: string | number): string {
    const options = { dateStyle: 'medium', ...(this.#timeZone !== undefined && { timeZone: this.#timeZone }) } as const;
    return new Intl.DateTimeFormat(this.language, options).format(new Date(at));
  }

  dateTime(at: string | number): string {
    const zone = this.#timeZone !== undefined && { timeZone: this.#timeZone };
    return new Intl.DateTimeFormat(this.language, { dateStyle: 'medium', timeStyle: 'short', ...zone }).format(
      new Date(at),
    );
  }

  /** The amount is formatted from its text, because a double would round long amounts. */
  money(amount: Money, currency: string): string {
    const format = new Intl.NumberFormat(this.language, { style: 'currency', currency, maximumFractionDigits: 4 });
    return format.format(amount as Intl.StringNumericLiteral);
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.language).format(value);
  }
}

interface Options {
  /** Language of the document's reader. */
  language: string;
  /** Time zone of the node. */
  timeZone?: string;
  /** Name of the node; default: its id. */
  store?: string;
}

type PickTicketItem = PickTicket['pickTicketItems'][number];

/** Returns the items to pick, or to bring back to their shelves, in the order of the places. */
export function pickList(
  ticket: PickTicket,
  {
    language,
    timeZone,
    store = ticket.nodeId,
    associate = ticket.userName ?? ticket.userId,
  }: Options & { associate?: string },
): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  const manyOrders = ticket.orders.length > 1;
  const isReverse = ticket.pickTicketType === 'REVERSE_PICK_TICKET';
  const items = ticket.pickTicketItems.map(wanted).filter(({ quantity }) => quantity > 0);
  return {
    title: isReverse ? texts.bringBack : texts.pickList,
    number: ticket.pickTicketId,
    code: code128(ticket.pickTicketId),
    language,
    facts: facts([
      [texts.store, store],
      [texts.associate, associate],
      [texts.takeFrom, isReverse ? ticket.holdLocation : undefined],
      [texts.due, ticket.pickSLADate === '' ? undefined : w.dateTime(ticket.pickSLADate)],
      [texts.quantity, w.number(items.reduce((sum, { quantity }) => sum + quantity, 0))],
    ]),
    tables: [
      {
        columns: [
          { name: isReverse ? texts.backTo : texts.place },
          { name: texts.item },
          { name: texts.code },
          { name: texts.quantity, isNumber: true },
          ...(manyOrders ? [{ name: texts.tote }] : []),
        ],
        rows: items.flatMap((item) => pickRows(w, item, manyOrders)),
      },
      ...(manyOrders
        ? [
            {
              columns: [{ name: texts.tote }, { name: texts.order }, { name: texts.customer }],
              rows: ticket.orders.map(({ tote, fulfillmentOrderId, customerName = '' }) => [
                tote,
                fulfillmentOrderId,
                customerName,
              ]),
            },
          ]
        : []),
    ],
    notes: items.flatMap((item) => pickNotes(w, item, manyOrders)),
  };
}

/** Returns an item with the units that are to be picked, without the units that customers have canceled since. */
function wanted(item: PickTicketItem): PickTicketItem {
  const quantity = item.quantity - (item.customerCanceledQuantity ?? 0);
  const orders = item.orders
    .map((share) => ({ ...share, quantity: share.quantity - (share.customerCanceledQuantity ?? 0) }))
    .filter((share) => share.quantity > 0);
  const components = item.components?.map((one) => ({ ...one, quantity: (one.quantity / item.quantity) * quantity }));
  return { ...item, quantity, orders, ...(components && { components }) };
}

/** Returns the instructions for an item. Each one names the item, and the tote if the ticket has several orders. */
function pickNotes({ texts }: Writer, { itemDetails, instructions = [], orders }: PickTicketItem, manyOrders: boolean) {
  return instructions.flatMap(({ type, text, fulfillmentOrderId }) => {
    const order = orders.find((share) => share.fulfillmentOrderId === fulfillmentOrderId);
    if (order === undefined) return [];
    const where = [...(manyOrders ? [`${texts.tote} ${order.tote}`] : []), itemDetails.itemDesc].join(', ');
    return [`${where} – ${type === 'GIFT_MESSAGE' ? texts.giftMessage : texts.note}: ${text}`];
  });
}

/** Returns the row of an item. A bundle has no place on a shelf, so rows with its items and their places follow. */
function pickRows(w: Writer, item: PickTicketItem, manyOrders: boolean): string[][] {
  const { quantity, orders, components, pickLocation } = item;
  const row = (part: PickTicketItem['itemDetails'] | Component, place: string | undefined, times: number) => [
    place ?? '–',
    [part.itemDesc, part.color, part.size].filter((text) => text !== '').join(', '),
    part.upcs[0]?.value ?? part.itemId,
    w.number(quantity * times),
    ...(manyOrders ? [orders.map(({ tote, quantity: share }) => `${tote} ${share * times}`).join(', ')] : []),
  ];
  return [
    row(item.itemDetails, pickLocation, 1),
    ...partsOf(components, quantity).map(({ part, times }) => row(part, part.pickLocation, times)),
  ];
}

/** Returns the items of a bundle, marked as parts of it, with their units in one bundle. */
function partsOf(components: readonly Component[] = [], bundles: number) {
  const marked = components.map((one) => ({ ...one, itemDesc: `· ${one.itemDesc}` }));
  return bundles === 0 ? [] : marked.map((part) => ({ part, times: part.quantity / bundles }));
}

type SlipLine = PackSlip['fulfillmentOrder']['fulfillmentOrderItems'][number];

interface SlipOptions extends Options {
  /** Returns the name of an item. The slip of the service has only the ids of items. */
  describe?: (itemId: string) => string;
  /** The node to which parcels come back. */
  returnTo?: { name: string; address: NonNullable<Destination['address']> };
}

/** Returns the packing slip of a parcel, with a returns label if the web store wants one. */
export function packSlip(
  slip: PackSlip,
  { language, timeZone, describe = (itemId) => itemId, returnTo }: SlipOptions,
): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  const { fulfillmentOrder: order } = slip;
  const lines = new Map(order.fulfillmentOrderItems.map((line) => [line.webLineId, line]));
  const packed = new Map<string, number>();
  for (const { webLineId, quantity } of order.packages.flatMap(({ packageItems }) => packageItems)) {
    packed.set(webLineId, (packed.get(webLineId) ?? 0) + quantity);
  }
  const { orderTotal: total, currency } = order;
  const columns = [
    { name: texts.item },
    ...[texts.ordered, texts.quantity, texts.price].map((name) => ({ name, isNumber: true })),
  ];
  const row = ({ itemDetails, orderedQuantity, itemTotal }: SlipLine, quantity: number) => [
    describe(itemDetails.itemId),
    w.number(orderedQuantity),
    w.number(quantity),
    w.money(itemTotal.unitPrice, currency),
  ];
  const inPackage = ({ packageId, packageItems }: (typeof order.packages)[number], at: number): PrintTable => ({
    ...(order.packages.length > 1 && {
      title: `${texts.package} ${packageId} (${at + 1} ${texts.part} ${order.packages.length})`,
    }),
    columns,
    rows: packageItems.flatMap(({ webLineId, quantity }) => {
      const line = lines.get(webLineId)!;
      const parts = partsOf(line.components, packed.get(webLineId)!);
      return [
        row(line, quantity),
        ...parts.map(({ part, times }) => [part.itemDesc, '', w.number(quantity * times), '']),
      ];
    }),
  });
  const missing = order.fulfillmentOrderItems.filter(({ webLineId }) => !packed.has(webLineId));
  const notIncluded = { title: texts.notIncluded, columns, rows: missing.map((line) => row(line, 0)) };
  const address = (title: string, { destinationId }: { destinationId: string }) => {
    const to = order.destinations.find((one) => one.destinationId === destinationId);
    return to === undefined ? [] : [{ title, lines: linesOf(to) }];
  };
  return {
    title: texts.packSlip,
    number: order.fulfillmentOrderId,
    code: code128(order.fulfillmentOrderId),
    language,
    facts: facts([
      [texts.yourOrder, order.webOrderId ?? order.omsOrderId],
      [texts.orderDate, w.date(order.orderDate)],
      [texts.carrier, [order.carrier, order.service].filter((part) => part !== '').join(' ')],
    ]),
    addresses: [...address(texts.shipTo, order.shippingAddress), ...address(texts.billTo, order.billToAddress)],
    tables: [...order.packages.map(inPackage), ...(missing.length === 0 ? [] : [notIncluded])],
    totals: moneyTotals(w, total, currency),
    // The slip has only the gift messages of lines in this parcel: other lines can go to another recipient, and other
    // instructions are for the store.
    notes: order.fulfillmentOrderItems
      .filter(({ webLineId }) => packed.has(webLineId))
      .flatMap(({ instructions = [] }) => instructions.filter(({ type }) => type === 'GIFT_MESSAGE'))
      .map(({ text }) => text),
    ...(slip.hfrEligible &&
      returnTo !== undefined && {
        returnLabel: {
          title: texts.returnsLabel,
          addresses: [
            { title: texts.returnTo, lines: [returnTo.name, ...linesOf(returnTo)] },
            ...address(texts.sender, order.shippingAddress),
          ],
          code: code128(order.fulfillmentOrderId),
        },
      }),
  };
}

/** Returns the hold ticket on goods that wait for their customer. */
export function holdTicket(order: Order, { language, timeZone }: Options): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  return {
    title: texts.holdTicket,
    number: order.fulfillmentOrderId,
    code: code128(order.fulfillmentOrderId),
    big: order.holdLocation ?? '',
    language,
    facts: facts([
      [texts.customer, order.customer?.name],
      [texts.takenBy, order.proxyDetails?.name],
      [texts.yourOrder, order.webOrderId],
      [texts.orderDate, w.date(order.orderDate)],
    ]),
    tables: [linesTable(w, forCustomer(order))],
    totals: toCollect(w, order.orderTotal, order.currency),
  };
}

/** The units that the customer took, and the payment. */
export interface HandOver {
  at: string | number;
  associate: string;
  takenBy?: string;
  /** The proof of identity, in words of the paper's language. */
  checkedBy?: string;
  items: readonly { webLineId: string; itemDesc: string; itemId: string; quantity: number }[];
  paid?: Money;
}

/** Returns the customer's receipt of a hand-over. */
export function handOverReceipt(
  order: Order,
  handOver: HandOver,
  { language, timeZone, store = order.nodeId }: Options,
): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  return {
    title: texts.receipt,
    number: order.fulfillmentOrderId,
    code: code128(order.fulfillmentOrderId),
    language,
    facts: facts([
      [texts.yourOrder, order.webOrderId],
      [texts.date, w.dateTime(handOver.at)],
      [texts.store, store],
      [texts.takenBy, handOver.takenBy ?? order.customer?.name],
      [texts.checkedBy, handOver.checkedBy],
      [texts.associate, handOver.associate],
    ]),
    tables: [linesTable(w, handOver.items)],
    totals: handOver.paid === undefined ? [] : collected(w, texts.paid, handOver.paid, order.currency),
  };
}

/**
 * The goods that a customer brought back: the units that the store kept, the units that it gave back, and the refunds.
 */
export interface BroughtBack {
  number: string;
  at: string | number;
  store: string | undefined;
  associate: string;
  customer: string | undefined;
  /** Numbers of the orders as the customer knows them. */
  orders: readonly string[];
  reason: string | undefined;
  lines: readonly { itemDesc: string; itemId: string; taken: number; givenBack: number }[];
  refunds: readonly { amount: Money; currency: string }[];
  /** Whether the return is not closed: its refund may be asked for at the close. */
  isOpen: boolean;
}

/** Returns the customer's receipt of a return. */
export function returnReceipt(back: BroughtBack, { language, timeZone }: Options): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  const tables = [
    { title: texts.takenBack, count: 'taken' },
    { title: texts.givenBack, count: 'givenBack' },
  ] as const;
  return {
    title: texts.returnReceipt,
    number: back.number,
    code: code128(back.number),
    language,
    facts: facts([
      [texts.yourOrder, back.orders.join(', ')],
      [texts.customer, back.customer],
      [texts.date, w.dateTime(back.at)],
      [texts.store, back.store],
      [texts.associate, back.associate],
      [texts.reasons, back.reason],
    ]),
    tables: tables
      .map(({ title, count }) => ({
        title,
        ...linesTable(
          w,
          back.lines.map((line) => ({ ...line, quantity: line[count] })),
        ),
      }))
      .filter(({ rows }) => rows.length > 0),
    totals: back.refunds.flatMap(({ amount, currency }) => collected(w, texts.refund, amount, currency)),
    notes: [back.refunds.length > 0 ? texts.refundLater : back.isOpen ? texts.refundAtClose : texts.noRefund],
  };
}

/** Returns the sheet for an associate who delivers an order. A closed box can still have canceled units. */
export function deliverySheet(order: Order, { language, timeZone }: Options): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  const to = order.destinations?.find(({ destinationId }) => destinationId === order.shippingAddress?.destinationId);
  const phone = to?.phone ?? order.customer?.phone;
  const canceled = linesTable(
    w,
    order.lines.map((line) => ({ ...line, quantity: line.cancelingQuantity })),
  );
  return {
    title: texts.deliverySheet,
    number: order.fulfillmentOrderId,
    code: code128(order.fulfillmentOrderId),
    language,
    facts: facts([
      [texts.customer, order.customer?.name],
      [texts.phone, phone],
      [texts.holdPlace, order.holdLocation],
      [texts.due, order.slaDate === undefined ? undefined : w.dateTime(order.slaDate.value)],
    ]),
    addresses: to === undefined ? [] : [{ title: texts.deliverTo, lines: linesOf(to) }],
    tables: [
      linesTable(w, forCustomer(order)),
      ...(canceled.rows.length > 0 ? [{ title: texts.canceled, ...canceled }] : []),
    ],
    totals: toCollect(w, order.orderTotal, order.currency),
    signatures: [texts.signature],
  };
}

/** The data of the statement of a closed shipment. */
export interface Statement {
  type: string;
  number: string;
  version: number;
  closedAt: string;
  /** Name of the user who closed the shipment. */
  closedBy: string;
  lines: readonly {
    cartonId?: string;
    clientItemId: string;
    announced: number;
    good: number;
    damaged: number;
    refused: number;
    held: number;
    short: number;
    over: number;
    reasons: readonly string[];
  }[];
}

/** Returns the statement of a closed shipment, for the supplier. */
export function receivingStatement(statement: Statement, { language, timeZone }: Options): PrintDocument {
  const w = new Writer(language, timeZone);
  const { texts } = w;
  const counts = ['announced', 'good', 'damaged', 'refused', 'held', 'short', 'over'] as const;
  // The statement has a column for cartons, because the supplier must see in which of several cartons an item was short.
  const hasCartons = statement.lines.some(({ cartonId }) => cartonId !== undefined);
  return {
    title: texts.receivingStatement,
    number: statement.number,
    code: code128(statement.number),
    language,
    facts: facts([
      [texts.closed, w.dateTime(statement.closedAt)],
      [texts.closedBy, statement.closedBy],
      [texts.version, w.number(statement.version)],
    ]),
    tables: [
      {
        columns: [
          ...(hasCartons ? [{ name: texts.carton }] : []),
          { name: texts.item },
          ...counts.map((name) => ({ name: texts[name], isNumber: true })),
          { name: texts.reasons },
        ],
        rows: statement.lines.map((line) => [
          ...(hasCartons ? [line.cartonId ?? ''] : []),
          line.clientItemId,
          ...counts.map((name) => w.number(line[name])),
          line.reasons.join(', '),
        ]),
      },
    ],
    totals: counts.map((name) => ({
      name: texts[name],
      value: w.number(statement.lines.reduce((sum, line) => sum + line[name], 0)),
    })),
  };
}

/** Returns the lines with the units that wait here for the customer, without units that go back to their shelves. */
function forCustomer({ lines }: Order) {
  return lines.map((line) => ({ ...line, quantity: Math.min(line.heldQuantity, line.leftQuantity) }));
}

interface Line {
  itemDesc: string;
  itemId: string;
  quantity: number;
  /** The items of a bundle, each with its units in all ordered bundles together. */
  components?: readonly Component[];
  orderedQuantity?: number;
}

function linesTable(w: Writer, lines: readonly Line[]): PrintTable {
  return {
    columns: [{ name: w.texts.item }, { name: w.texts.quantity, isNumber: true }],
    rows: lines
      .filter(({ quantity }) => quantity > 0)
      .flatMap(({ itemDesc, itemId, quantity, components, orderedQuantity = 0 }) => [
        [itemDesc === '' ? itemId : itemDesc, w.number(quantity)],
        ...partsOf(components, orderedQuantity).map(({ part, times }) => [part.itemDesc, w.number(quantity * times)]),
      ]),
  };
}

function moneyTotals(
  w: Writer,
  total: { grandTotal: Money; grandTax: Money; grandCharges: Money; cashOnDelivery?: Money },
  currency: string,
): Fact[] {
  const { texts } = w;
  return [
    { name: texts.charges, value: w.money(total.grandCharges, currency) },
    { name: texts.tax, value: w.money(total.grandTax, currency) },
    { name: texts.total, value: w.money(total.grandTotal, currency) },
    ...toCollect(w, total, currency),
  ];
}

/** Returns the cash to collect for the units of the total; nothing if none is due. */
function toCollect(w: Writer, { cashOnDelivery = 0 }: { cashOnDelivery?: Money }, currency: string): Fact[] {
  return Number(cashOnDelivery) === 0 ? [] : collected(w, w.texts.toCollect, cashOnDelivery, currency);
}

function collected(w: Writer, name: string, amount: Money, currency: string): Fact[] {
  return [{ name, value: w.money(amount, currency) }];
}

type Destination = NonNullable<Order['destinations']>[number];

function facts(all: readonly (readonly [name: string, value: string | undefined])[]): Fact[] {
  return all.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]));
}

function code128(text: string): CodeText {
  return { symbology: 'CODE128', text };
}
