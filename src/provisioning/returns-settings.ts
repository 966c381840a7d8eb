/** Schema of the return settings of a client and of a store (docs/returns.md#settings). */
import { repeatErrors } from '../platform/http/put.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { FieldError } from '../platform/message/validate.ts';
import { exact, identifier, integer, list, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import {
  BLIND_POLICIES,
  DISPOSITIONS,
  REFUND_SHIPPING,
  REFUND_TIMES,
  RETURN_NODES,
  WINDOW_STARTS,
} from '../shared/return-settings.ts';

const { Optional } = Type;

const phrase = (description: string) => text(1, 120, { description });
const words = Type.Union(
  [
    phrase('One text for every language'),
    object({
      en: Optional(phrase('English')),
      de: Optional(phrase('German')),
      es: Optional(phrase('Spanish')),
    }),
  ],
  { description: 'Description that users read: one text, or a text for each language' },
);
const code = (description: string) => identifier(40, { description });
const amount = (description: string) => exact({ integer: 11, fraction: 4, min: 0 }, { description });

const reasons = list(
  object({
    code: code('Code of the reason, compared exactly'),
    description: words,
    asks: Optional(oneOf(['NOTE'], { description: 'NOTE: a line with this reason needs a note' })),
  }),
  { max: 100 },
  { description: 'Reasons of customers' },
);
const conditions = list(
  object({
    code: code('Code of the condition, compared exactly'),
    description: words,
    disposition: oneOf(DISPOSITIONS, { description: 'Place of the units' }),
  }),
  // Without conditions, no unit could be counted at a counter.
  { min: 1, max: 100 },
  { description: 'Conditions of goods. The console shows the first three conditions as large buttons' },
);

/** The lists that users choose from at a counter, and the policy for goods without an order. */
export const ReturnChoices = object(
  { reasons, conditions, blind: oneOf(BLIND_POLICIES, { description: 'Goods without an order at a counter' }) },
  { description: 'Returns of the web store' },
);

export const Returns = object(
  {
    windowDays: Optional(
      integer(0, 3_650, {
        description: 'Days of 24 hours in which goods can be returned; default 30. With 0, a return needs an override',
      }),
    ),
    windowFrom: Optional(
      oneOf(WINDOW_STARTS, {
        description:
          'Start of the return window of goods sent by carrier. HANDED_OVER (default): the time of the expected delivery or of the shipping, whichever is later. SHIPPED: the time of the shipping',
      }),
    ),
    reasons: Optional(reasons),
    conditions: Optional(conditions),
    nodes: Optional(
      oneOf(RETURN_NODES, {
        description:
          'Nodes that take goods back. ANY (default): every node; SAME: only the expected node, or the nodes of the orders',
      }),
    ),
    blind: Optional(
      oneOf(BLIND_POLICIES, {
        description:
          'Goods without an order in a store: HOLD (default) holds them, ALLOW books them by their condition, REFUSE rejects them',
      }),
    ),
    excluded: Optional(
      list(
        object({
          attribute: text(1, 255, {
            description: 'Name of an attribute in customDynamicAttributes of the item, or `type` or `salesClass`',
          }),
          values: list(
            text(1, 255),
            { min: 1, max: 500 },
            { description: 'Values of the attribute that exclude the item, compared exactly' },
          ),
        }),
        { max: 50 },
        { description: 'Items that cannot be returned' },
      ),
    ),
    fourEyes: Optional(
      amount(
        'Limit for the sum of the refunds of a return in one currency. Above the limit, a user who received goods of the return cannot close the return. Default: no limit',
      ),
    ),
    refundShipping: Optional(
      oneOf(REFUND_SHIPPING, {
        description:
          'Refund of header charges and header tax. WHEN_ALL (default): with the refund that completes the return of all handed-over units of the order, even if other units still wait for the customer; ALWAYS: with the first refund; NEVER: no refund. If their sum is negative (a discount of the order), it always lowers the first refunds',
      }),
    ),
    fee: Optional(amount('Fee of a return, which is subtracted from its first refunds in one currency; default 0')),
    refundOn: Optional(
      oneOf(REFUND_TIMES, {
        description: 'Event that makes refunds due. CLOSED (default): the close of the return; RECEIVED: each receipt',
      }),
    ),
    expireDays: Optional(
      integer(1, 3_650, {
        description: 'Days of 24 hours after which a return expires if its goods have not arrived; default 60',
      }),
    ),
    refundHours: Optional(
      integer(1, 8_760, {
        description: 'Hours after which a refund without an outcome raises the alert BackroomRefundsLate; default 48',
      }),
    ),
  },
  { description: 'Returns of customers' },
);

/** Errors of codes that occur twice. */
export function returnsErrors(place: string, { reasons, conditions }: ValidPart<Static<typeof Returns>>): FieldError[] {
  return Object.entries({ reasons, conditions }).flatMap(([name, entries = []]) =>
    repeatErrors(
      `${place}/${name}`,
      entries.flatMap((entry) => entry?.code ?? []),
    ),
  );
}
