/** Labels of carriers, bought by the operator's program (docs/how-to/connect-a-carrier.md#5-buy-labels-by-a-hook). */
import { type Box, findBoxes, saveBoxes } from '../kernel/boxes.ts';
import { takeOrder } from '../kernel/message-lines.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, Refusal } from '../platform/http/errors.ts';
import { reply, theOrder, writeOperation } from '../platform/http/operation.ts';
import type { LabelOutcome } from '../platform/label-hook.ts';
import { quote } from '../platform/message/words.ts';
import { identifier, named, object, type Static, text } from '../platform/schema.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { buy, currentReference } from './label-purchase.ts';
import { say } from './sentences.ts';

const CONTENT_MAX = 4_000_000;

const LabelRequest = named(
  'LabelRequest',
  object(
    { userId: identifier(64, { description: 'Login of the user who packs' }) },
    { description: 'A request for the label of a package' },
  ),
);

const PackageLabel = named(
  'PackageLabel',
  object(
    {
      boxId: text(1, 40, { description: 'Number of the box in the order' }),
      reference: text(1, 100, {
        description: 'Reference of the label purchase. Every request for the same parcel has the same reference',
      }),
      trackingNumber: text(1, 40, { description: 'Tracking number that the carrier gave to the package' }),
      label: object(
        {
          type: text(1, 80, { description: 'Media type of the label, for example `application/pdf`' }),
          content: text(1, CONTENT_MAX, { description: 'Bytes of the label in base64', 'x-secret': true }),
        },
        { description: 'The label to print' },
      ),
    },
    { description: 'The label of a package' },
  ),
);
type PackageLabel = Static<typeof PackageLabel>;

export const labelSchemas = [LabelRequest, PackageLabel];

export const buyPackageLabel = writeOperation({
  id: 'buyPackageLabel',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packages/{boxId}/label',
  summary: 'Buy the label of a package, or read it again',
  description:
    'Sends the parcel to the operator’s program (`LABEL_URL`), which buys the label of the carrier. The package gets the tracking number of the label, so the order is shipped when its last label is bought.\n\n' +
    '- Each parcel has a reference, which changes only if the parcel changes. If a response was lost, the next request first asks the program for this reference, so that no label is bought twice. Send the request again until it succeeds.\n' +
    '- After the purchase the request returns the label again; the service does not store labels.\n' +
    '- A parcel that changes gets another reference. The message to the program then names the earlier references in `replaces`, so that the program can cancel their labels.\n' +
    '- Only packages of SHIP_TO_HOME orders have labels.',
  events: [
    'order.packed',
    'order.shipped',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: 'fulfillment.write',
    reveals: theOrder,
  },
  message: {
    body: LabelRequest,
    replies: { 200: { description: 'The label, which this request or an earlier one bought', schema: PackageLabel } },
    refusals: {
      404: 'There is no such store, order or package.',
      409: 'The order cannot be packed in its state, is not a SHIP_TO_HOME order, or is anonymized; the package has another tracking number, or changed while the label was bought; no label can be bought (`LABELS_OFF`, `LABEL_REJECTED`, `LABEL_UNAVAILABLE`); the outcome is not known yet (`LABEL_UNKNOWN`); or another request is buying this label (`IN_PROGRESS`).',
    },
    errors: 'problem',
    keyless: true,
  },
  run: {
    repeat: 'same',
    prepare: ({ clientId, store, params }, _randomBytes, parts) =>
      buy({ clientId, storeId: store.store_id, orderId: params.fulfillmentOrderId }, params.boxId, parts),
    async handle(ctx, { clientId, store, params, body, prepared }) {
      const { reference, outcome } = prepared;
      if (outcome.is !== 'LABEL') throw refusalOf(outcome);
      const { trackingNumber, ...label } = outcome.label;
      const taken = await takeOrder(ctx, {
        clientId,
        storeId: store.store_id,
        orderId: params.fulfillmentOrderId,
      });
      const boxes = taken === undefined ? [] : await findBoxes(ctx, taken.order);
      const box = boxes.find((one) => one.boxId === params.boxId && one.items.length > 0);
      if (taken === undefined || box === undefined) throw changedMeanwhile(trackingNumber);
      if (box.trackingNumber !== trackingNumber) {
        // The order was not locked during the purchase, so its address or the content of the box can have changed.
        const isSame = (await currentReference(ctx, taken.order, taken.lines, box)) === reference;
        if (!isSame) throw changedMeanwhile(trackingNumber);
        await ship(ctx, taken, boxes, { ...box, trackingNumber }, body.userId);
      }
      return reply(200, { boxId: box.boxId, reference, trackingNumber, label } satisfies PackageLabel);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.toShip}/packages/1/label',
    body: { userId: 'UserId001' },
    needs: 'receiver',
  },
});

interface Taken {
  order: FulfillmentOrderRow;
  lines: OrderLineRow[];
}

/** Writes the tracking number of a package, in the same way as `updatePackages`. */
async function ship(ctx: Ctx, { order, lines }: Taken, boxes: readonly Box[], box: Box, userId: string): Promise<void> {
  const before = boxes.find(({ index }) => index === box.index)!;
  if (before.trackingNumber !== null || !isAllowed(order, 'pack')) throw changedMeanwhile(box.trackingNumber!);
  await saveBoxes(ctx, order, [box]);
  await advanceOrder(ctx, await findSettings(ctx.db, order.client_id), {
    order,
    lines,
    boxes: boxes.map((one) => (one.index === box.index ? box : one)),
    action: { type: 'pack', modifyAssociateId: userId, created: 0, modified: 1, voided: 0 },
  });
}

function refusalOf(outcome: Exclude<LabelOutcome, { is: 'LABEL' }>): Refusal {
  switch (outcome.is) {
    case 'REJECTED':
      return new Refusal(
        409,
        'STATE',
        'LABEL_REJECTED',
        say('The carrier rejects the parcel: {message}. Nothing was bought.', {
          // The message is in quotation marks, because the log leaves out quoted texts. Messages of carriers often have the
          // address of the customer.
          message: JSON.stringify(outcome.message),
        }),
      );
    case 'NONE':
      return new Refusal(
        409,
        'STATE',
        'LABEL_REJECTED',
        say(
          'The label was bought, but your label program responds that it does not have it. Ask the operator to check LABEL_URL. If it is right, and to buy another label before the order is shipped, void the package and create it again.',
        ),
      );
    case 'UNSENT':
      return new Refusal(
        409,
        'STATE',
        'LABEL_UNAVAILABLE',
        outcome.status === undefined
          ? say('The label program cannot be reached. Nothing was bought; send the request again.')
          : say(
              'The label program rejects requests with status {status}. Nothing was bought. Ask the operator to check LABEL_URL, LABEL_SECRET and the clocks of both machines, then send the request again.',
              { status: outcome.status },
            ),
        { headers: { 'retry-after': '5' } },
      );
    case 'UNKNOWN':
      return new Refusal(
        409,
        'STATE',
        'LABEL_UNKNOWN',
        say(
          'The label program did not send a usable response, so the label may already be bought. Send the request again: the service first asks the program whether it has bought this label.',
        ),
        { headers: { 'retry-after': '5' } },
      );
  }
}

function changedMeanwhile(trackingNumber: string): Refusal {
  return conflict(
    say(
      'The package changed while its label {trackingNumber} was bought. Cancel that label at the carrier, and buy a label for the changed package.',
      { trackingNumber: quote(trackingNumber) },
    ),
    { trackingNumber },
  );
}
