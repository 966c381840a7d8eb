/**
 * The prints of the counter. The documents load when they are first needed. Each function resolves to true if the print
 * dialog of the browser opened.
 */
import type { components } from '../../contract/client.d.ts';
import { choices, customerLanguage, type WorkSettings } from '../choices.ts';
import type { Shipment } from '../offline/inbound.ts';
import type { BroughtBack, PrintDocument, Statement as ReceivingStatement } from '../print/documents.ts';
import { isPrinted, printDocument, printLabels } from '../print/index.ts';
import type { Label } from '../print/labels.ts';
import { session } from '../session.ts';
import { language, t, textsIn, word } from '../texts/index.ts';
import { addressOf } from './address.ts';

type Order = components['schemas']['OrderDetails'];
type PackSlip = components['schemas']['PackSlip'];
type PickTicket = components['schemas']['PickTicketDetails'];

/** The data of a hand-over receipt other than its units. */
export interface Taken {
  handOverId: string;
  who: string;
  /** The proof of identity. */
  method?: string;
}

/** Prints the receipt of one hand-over or delivery of an order. */
export function printReceipt(order: Order, { handOverId, who, method }: Taken): Promise<boolean> {
  const charged = order.charged?.find((one) => one.handOverId === handOverId);
  if (charged === undefined) return Promise.resolve(false);
  const lines = new Map(order.lines.map((line) => [line.webLineId, line]));
  return printed(async ({ handOverReceipt }) => [
    handOverReceipt(
      order,
      {
        at: charged.chargedDate,
        associate: session.peek()!.user.name,
        takenBy: who,
        ...(method !== undefined && {
          checkedBy: word((await textsIn(customerLanguage(), 'floor')).handOver.methods, method),
        }),
        items: charged.items.map(({ webLineId, quantity }) => {
          const { itemDesc, itemId } = lines.get(webLineId)!;
          return { webLineId, itemDesc, itemId, quantity };
        }),
        ...(charged.orderTotal.cashOnDelivery !== undefined && { paid: charged.orderTotal.cashOnDelivery }),
      },
      forCustomer(),
    ),
  ]);
}

/** Prints the customer's receipt of a return. */
export function printReturnReceipt(back: BroughtBack): Promise<boolean> {
  return printed(({ returnReceipt }) => [returnReceipt(back, forCustomer())]);
}

/** Prints the items to pick for a ticket, for users without a device. */
export function printPickList(ticket: PickTicket): Promise<boolean> {
  const { userId, name } = session.peek()!.user;
  return printed(({ pickList }) => [
    pickList(ticket, { ...options(), ...(ticket.userId === userId && { associate: name }) }),
  ]);
}

/** Prints the hold tickets for orders that wait for their customers, one per page. */
export function printHoldTickets(orders: readonly Order[]): Promise<boolean> {
  return printed(({ holdTicket }) => orders.map((order) => holdTicket(order, options())));
}

/** Prints the sheet for an associate who delivers an order. */
export function printDeliverySheet(order: Order): Promise<boolean> {
  return printed(({ deliverySheet }) => [deliverySheet(order, options())]);
}

/** Prints the pack slip of a parcel. */
export function printPackSlip(slip: PackSlip, names: ReadonlyMap<string, string>): Promise<boolean> {
  const describe = (itemId: string) => names.get(itemId) ?? itemId;
  const here = choices.peek();
  return printed(({ packSlip }) => [
    packSlip(slip, { ...forCustomer(), describe, ...(here !== undefined && { returnTo: here }) }),
  ]);
}

/** Prints the label of a closed box: recipient, order, and number of the box. */
export function printBoxLabel(order: Order, boxId: string, trackingNumber: string | undefined): Promise<boolean> {
  return labelsPrinted(() => {
    const to = addressOf(order);
    const size = { widthMm: 100, heightMm: 150 };
    const label = {
      ...size,
      lines: [
        ...[to?.name ?? order.customer?.name ?? '', ...(to?.lines ?? [])].map((text, at) => ({
          text,
          mm: 6,
          isBold: at === 0,
        })),
        { text: `${t().counter.order(order.fulfillmentOrderId)} · ${t().pack.box(boxId)}`, mm: 4.5 },
        { text: order.shipMethod.trim(), mm: 4.5 },
      ].filter(({ text }) => text !== ''),
      code: { symbology: 'CODE128' as const, text: trackingNumber ?? order.fulfillmentOrderId },
    };
    return [label];
  });
}

/** Prints the label of goods without papers. The user enters its number to match the goods with the papers later. */
export function printGoodsLabel(number: string): Promise<boolean> {
  return labelsPrinted(({ placeLabel }) => {
    const name = [t().receive.blind, choices.peek()?.name].filter((one) => one !== undefined).join(' · ');
    return [placeLabel({ place: number, name })];
  });
}

/** Prints labels of a shipment's cartons, as SSCC labels if the carton id is an SSCC. */
export function printCartonLabels(
  { type, number }: Pick<Shipment, 'type' | 'number'>,
  cartons: readonly { cartonId: string }[],
): Promise<boolean> {
  return labelsPrinted(({ cartonIdLabel }) => {
    const of = `${t().receive.types[type]} ${number}`;
    const to = choices.peek()?.name;
    return cartons.map(({ cartonId }) => cartonIdLabel({ cartonId, of, ...(to !== undefined && { to }) }));
  });
}

/** Prints labels. */
export function labelsPrinted(make: (labels: typeof import('../print/labels.ts')) => Label[]): Promise<boolean> {
  return isPrinted(async () => printLabels(make(await import('../print/labels.ts'))));
}

function options(of: string = language.peek(), at: WorkSettings | undefined = choices.peek()) {
  const { name: store, timeZone } = at ?? {};
  return { language: of, ...(timeZone !== undefined && { timeZone }), ...(store !== undefined && { store }) };
}

function forCustomer() {
  return options(customerLanguage());
}

type Documents = typeof import('../print/documents.ts');

function printed(
  make: (documents: Documents) => readonly PrintDocument[] | Promise<readonly PrintDocument[]>,
  at: WorkSettings | undefined = choices.peek(),
): Promise<boolean> {
  return isPrinted(async () => {
    const documents = await import('../print/documents.ts');
    await printDocument(await make(documents), at?.printing ?? {});
  });
}

/**
 * Prints the statement of a close: announced and arrived units.
 * @param at the settings of the shipment's node; default: those of the node of this device
 */
export function printStatement(statement: ReceivingStatement, at?: WorkSettings): Promise<boolean> {
  const words = t().receive.reasons;
  const lines = statement.lines.map((line) => ({
    ...line,
    reasons: line.reasons.map((reason) => word(words, reason)),
  }));
  return printed(({ receivingStatement }) => [receivingStatement({ ...statement, lines }, options(undefined, at))], at);
}
