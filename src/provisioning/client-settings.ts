/** Wire shape of the settings of a client. */

import { QUEUE_IDS, stepsOf } from '../kernel/states.ts';
import { UNIT_MAX } from '../platform/measures.ts';
import { flag, identifier, integer, list, named, object, oneOf, Type, text } from '../platform/schema.ts';
import {
  DEFAULT_SETTINGS,
  DUPLICATE_CARTONS,
  FULFILLMENT_TYPES,
  type FulfillmentType,
  SLA_COUNTS,
  SLA_STEPS,
  STOCK_EFFECTS,
  STREET_DATE_POLICIES,
} from '../shared/client-settings.ts';

const YEAR_MINUTES = 525_600;

/** An object whose fields are `names`, each optional and of the same schema. */
function optionalMap<const N extends readonly string[], S extends Type.TSchema>(
  names: N,
  schema: S,
  description: string,
) {
  const members = Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));
  return object(members as Record<N[number], Type.TOptional<S>>, { description });
}

/** What differs from `slaMinutes` for the steps of each fulfillment type (docs/decisions/119). */
function slaDefinitions() {
  const definition = object(
    {
      approachingMinutes: Type.Optional(
        integer(0, YEAR_MINUTES, {
          description: 'Minutes until the step is approaching; default three quarters of expiredMinutes',
        }),
      ),
      expiredMinutes: Type.Optional(
        integer(1, YEAR_MINUTES, { description: 'Minutes until the step is expired; default that of slaMinutes' }),
      ),
      counts: Type.Optional(
        oneOf(SLA_COUNTS, {
          description: 'OPEN: minutes in which the node is open; ELAPSED: every minute (default of CUSTOMER_PICKUP)',
        }),
      ),
    },
    { description: 'SLA of the step' },
  );
  const members = FULFILLMENT_TYPES.map(
    (type) => [type, Type.Optional(optionalMap(stepsOf(type), definition, `Steps of ${type} orders`))] as const,
  );
  return object(Object.fromEntries(members) as Record<FulfillmentType, (typeof members)[number][1]>, {
    description: 'SLA of a step by fulfillment type, where it differs from slaMinutes',
  });
}

/** What stands on every printed document (docs/how-to/print.md). */
export const Printing = object(
  {
    logoUrl: Type.Optional(
      text(9, 500, {
        pattern: '^https?://[^\\s]+$',
        'x-hint': 'send the address of a picture, such as https://images.example.com/logo.svg',
        description: 'Picture at the head; its origin must be among imageOrigins',
      }),
    ),
    header: Type.Optional(text(0, 200, { description: 'Text at the head, such as your name' })),
    footer: Type.Optional(text(0, 500, { description: 'Text at the foot, such as your address' })),
    returnText: Type.Optional(text(0, 1_000, { description: 'How to return goods' })),
  },
  { description: 'Logo and texts on printed documents' },
);

/** Units by which a quantity may differ. */
const tolerance = (description: string) =>
  object(
    {
      percent: Type.Optional(integer(0, 100, { description: 'Percent of the announced quantity, floored; default 0' })),
      units: Type.Optional(integer(0, 99_999, { description: 'Units; the larger of both counts; default 0' })),
    },
    { description },
  );

const stockEffect = oneOf(STOCK_EFFECTS, {
  description:
    'Where stock is kept, what a unit declined for this reason is: MISSING or DAMAGED leaves the shelf for that place, NONE (default) stays',
});

/** A reason of canceled, declined and refused units. */
export const reason = object({
  code: identifier(40, { description: 'Code of the reason, compared exactly' }),
  description: text(1, 120, { description: 'Meaning, for people' }),
  stockEffect: Type.Optional(stockEffect),
});

/** Values of a client that replace the defaults: a list as a whole, a map entry by entry (docs/codes.md#values-of-a-client). */
export const ClientSettings = named(
  'ClientSettings',
  object({
    itemTypes: Type.Optional(
      list(
        object({
          name: identifier(40, { description: 'Type; case, spaces and underscores do not matter' }),
          physical: flag({
            description:
              'Goods that can be picked and shipped: eligible for fulfillment unless the item says otherwise',
          }),
          gift: flag({ description: 'Gift cards: they need giftCardTenderCode and maxGCAmount' }),
        }),
        { min: 1, max: 100 },
        { description: 'Types of items' },
      ),
    ),
    salesClasses: Type.Optional(
      list(identifier(25), { min: 1, max: 50 }, { description: 'Sales classes that an item may have' }),
    ),
    itemStatuses: Type.Optional(
      list(identifier(12), { min: 1, max: 20 }, { description: 'Statuses that an item may have' }),
    ),
    giftCardTenderCodes: Type.Optional(
      list(identifier(10), { min: 1, max: 50 }, { description: 'Tender codes of gift cards' }),
    ),
    upcTypes: Type.Optional(
      list(
        identifier(12),
        { min: 1, max: 50 },
        { description: 'Types of bar codes; compared without case, spaces, hyphens and underscores' },
      ),
    ),
    operationTypes: Type.Optional(
      object(
        {
          add: Type.Optional(
            list(identifier(20), { min: 1, max: 50 }, { description: 'Words that add an element or change it' }),
          ),
          delete: Type.Optional(list(identifier(20), { min: 1, max: 50 }, { description: 'Words that delete it' })),
        },
        { description: 'Words that operationType of an item’s lists may have; compared like upcTypes' },
      ),
    ),
    refusedItemStatuses: Type.Optional(
      list(
        identifier(12),
        { max: 20 },
        { description: 'Statuses of items of which no order is taken in; default Discontinued' },
      ),
    ),
    streetDate: Type.Optional(
      oneOf(STREET_DATE_POLICIES, {
        description:
          'An order that names an item before its street date: REFUSE (default) is a 400; HOLD takes it in and holds it until then (1000)',
      }),
    ),
    salesClassesBeforeStreetDate: Type.Optional(
      list(
        identifier(25),
        { max: 50 },
        {
          description:
            'Sales classes of items that are sold before their street date, which is then not asked; default advanceOrderLimited, backOrderLimited',
        },
      ),
    ),
    cancelReasons: Type.Optional(list(reason, { min: 1, max: 200 }, { description: 'Reasons of canceled units' })),
    slaMinutes: Type.Optional(
      optionalMap(
        SLA_STEPS,
        integer(1, YEAR_MINUTES, { description: 'Minutes from entering the queue until the step is expired' }),
        'Time of each step, for every fulfillment type',
      ),
    ),
    slaDefinitions: Type.Optional(slaDefinitions()),
    blankAfterDays: Type.Optional(
      integer(1, 3_650, {
        description: 'Days after an order’s end at which its customer’s data is blanked; default 180',
      }),
    ),
    pickTicketIdleMinutes: Type.Optional(
      integer(1, YEAR_MINUTES, {
        description: 'Minutes after which an opened pick ticket that nobody works on goes back',
      }),
    ),
    statusDescriptions: Type.Optional(
      optionalMap(
        Object.keys(DEFAULT_SETTINGS.statusDescriptions),
        text(1, 60, { description: 'Description of orders with this status code' }),
        'Descriptions of the statuses of orders, by their codes',
      ),
    ),
    queueIds: Type.Optional(
      optionalMap(
        QUEUE_IDS,
        identifier(40, { description: 'Own id of this queue' }),
        'Own ids of queues, by their default ids',
      ),
    ),
    weightUnits: Type.Optional(
      list(
        identifier(UNIT_MAX),
        { min: 1, max: 20 },
        { description: 'Units of weight that packages may have, by any common name' },
      ),
    ),
    sizeUnits: Type.Optional(
      list(
        identifier(UNIT_MAX),
        { min: 1, max: 20 },
        { description: 'Units that the sides of packages may have, by any common name' },
      ),
    ),
    verificationMethods: Type.Optional(
      list(
        identifier(40),
        { min: 1, max: 50 },
        { description: 'How the person who takes goods may be verified; never a number of a document' },
      ),
    ),
    imageOrigins: Type.Optional(
      list(
        text(9, 260, {
          pattern: '^https?://[a-z0-9.-]+(?::[0-9]{1,5})?$',
          'x-hint': 'send an origin such as https://images.example.com: scheme and host in lower case, no path',
        }),
        { max: 20 },
        { description: 'Origins that pictures of items come from; the console shows pictures of no others' },
      ),
    ),
    printing: Type.Optional(Printing),
    receiving: Type.Optional(
      object(
        {
          over: Type.Optional(tolerance('Units of a key beyond those announced that are not held; default none')),
          short: Type.Optional(tolerance('Units of a key that may be missing without a reason; default none')),
          fourEyes: Type.Optional(
            flag({ description: 'Whoever received held units does not approve them; default false' }),
          ),
          duplicateCartons: Type.Optional(
            oneOf(DUPLICATE_CARTONS, {
              description:
                'Whether an ASN is rejected that has a carton of another open one; default WARN: it is shown as an exception',
            }),
          ),
        },
        { description: 'How goods are received' },
      ),
    ),
    pin: Type.Optional(
      object(
        {
          required: Type.Optional(
            flag({ description: 'An order that has a PIN is handed over only with it; default false' }),
          ),
          attempts: Type.Optional(
            integer(1, 100, { description: 'Wrong PINs in a row after which it is locked; default 5' }),
          ),
          lockMinutes: Type.Optional(integer(1, 10_080, { description: 'Minutes that it stays locked; default 15' })),
        },
        { description: 'The PIN of an order at its hand-over' },
      ),
    ),
    stock: Type.Optional(
      object(
        {
          countTolerance: Type.Optional(
            object(
              {
                percent: Type.Optional(integer(0, 100, { description: 'Of the level, rounded down; default 0' })),
                units: Type.Optional(integer(0, 1_000_000, { description: 'Units; default 0' })),
              },
              {
                description: 'A count that differs by more than the larger of both waits until somebody approves it',
              },
            ),
          ),
          promiseCheck: Type.Optional(
            oneOf(['ALL', 'ELIGIBLE'], {
              description:
                'Items that a node with promise AVAILABLE is asked for: ALL (default) but those of infiniteInventory, or of these only the ones with inventoryCheckEligible',
            }),
          ),
        },
        { description: 'Counts and promises of stock' },
      ),
    ),
  }),
);
