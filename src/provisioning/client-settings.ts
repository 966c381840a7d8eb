/** Schema of the client settings. */

import { QUEUE_IDS, stepsOf } from '../kernel/states.ts';
import { UNIT_MAX } from '../platform/measures.ts';
import { flag, identifier, integer, list, named, object, oneOf, Type, text } from '../platform/schema.ts';
import {
  CONTACT_KINDS,
  CONTACT_LANGUAGES,
  CONTACT_WAYS,
  DEFAULT_SETTINGS,
  DUPLICATE_CARTONS,
  FULFILLMENT_TYPES,
  type FulfillmentType,
  RESOURCE_TYPES,
  SLA_COUNTS,
  SLA_STEPS,
  STOCK_EFFECTS,
  STOCK_TRANSACTIONS,
  STREET_DATE_POLICIES,
} from '../shared/client-settings.ts';

import { Returns } from './returns-settings.ts';
import { say } from './sentences.ts';

const YEAR_MINUTES = 525_600;

/** Returns the schema of an object with the fields `names`. Each field is optional and has the same schema. */
function optionalMap<const N extends readonly string[], S extends Type.TSchema>(
  names: N,
  schema: S,
  description: string,
) {
  const fields = Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]));
  return object(fields as Record<N[number], Type.TOptional<S>>, { description });
}

/** Exceptions to `slaMinutes` for the steps of each fulfillment type (docs/sla.md#definitions). */
function slaDefinitions() {
  const definition = object(
    {
      approachingMinutes: Type.Optional(
        integer(0, YEAR_MINUTES, {
          description:
            'Minutes after which the deadline of the step is near. Default: three quarters of expiredMinutes',
        }),
      ),
      expiredMinutes: Type.Optional(
        integer(1, YEAR_MINUTES, {
          description: 'Minutes after which the deadline of the step has passed. Default: the value in slaMinutes',
        }),
      ),
      counts: Type.Optional(
        oneOf(SLA_COUNTS, {
          description:
            'Minutes that count. OPEN: minutes in which the node is open (default of other steps than CUSTOMER_PICKUP). ELAPSED: all minutes (default of CUSTOMER_PICKUP)',
        }),
      ),
    },
    { description: 'SLA of the step' },
  );
  const fields = FULFILLMENT_TYPES.map(
    (type) => [type, Type.Optional(optionalMap(stepsOf(type), definition, `Steps of ${type} orders`))] as const,
  );
  return object(Object.fromEntries(fields) as Record<FulfillmentType, (typeof fields)[number][1]>, {
    description: 'SLAs of the steps by fulfillment type. These values override slaMinutes',
  });
}

/** Logo and texts of every printed document (docs/how-to/print.md). */
export const Printing = object(
  {
    logoUrl: Type.Optional(
      text(9, 500, {
        pattern: '^https?://[^\\s]+$',
        'x-hint': say('send the address of a picture, such as https://images.example.com/logo.svg'),
        description: 'Address of the image at the top. The origin of the address must be in imageOrigins',
      }),
    ),
    header: Type.Optional(text(0, 200, { description: 'Text at the top, such as your name' })),
    footer: Type.Optional(text(0, 500, { description: 'Text at the bottom, such as your address' })),
    returnText: Type.Optional(text(0, 1_000, { description: 'Text on how to return goods' })),
  },
  { description: 'Logo and texts on printed documents' },
);

/** Schema of a tolerance: the allowed difference from a quantity, in percent and in units. */
const tolerance = (description: string) =>
  object(
    {
      percent: Type.Optional(
        integer(0, 100, {
          description:
            'Allowed difference in percent of the announced quantity. The service rounds the result down to whole units. Default 0',
        }),
      ),
      units: Type.Optional(
        integer(0, 99_999, {
          description: 'Allowed difference in units; default 0. The larger of the two limits applies',
        }),
      ),
    },
    { description },
  );

const stockEffect = oneOf(STOCK_EFFECTS, {
  description:
    'Effect on the stock of a node that keeps stock, when a unit is declined for this reason. MISSING: the unit moves from the shelf to MISSING, if the ledger has it on the shelf. DAMAGED: the unit moves from the shelf to DAMAGED. NONE (default): the unit stays on the shelf',
});

/** A reason for units that are canceled, declined or not accepted by the customer. */
export const reason = object({
  code: identifier(40, { description: 'Code of the reason. Codes are compared exactly' }),
  description: text(1, 120, { description: 'Text that users read' }),
  stockEffect: Type.Optional(stockEffect),
});

const side = Type.Number({
  exclusiveMinimum: 0,
  maximum: 10_000,
  description: 'Length of one side of the box, in sizeUnit; at most 4 digits after the point',
});

/** A box of the client. */
export const box = named(
  'ShippingBox',
  object(
    {
      name: text(1, 40, { description: 'Name that users read, such as Small' }),
      length: side,
      width: side,
      height: side,
      sizeUnit: identifier(UNIT_MAX, { description: 'Unit of the sides; one of sizeUnits' }),
      weight: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 10_000,
          description: 'Weight of the empty box, in weightUnit; at most 4 digits after the point',
        }),
      ),
      weightUnit: Type.Optional(identifier(UNIT_MAX, { description: 'Unit of the weight; one of weightUnits' })),
    },
    { description: 'A box that packers choose' },
  ),
);

/**
 * Values of a client that replace the defaults. A list replaces the whole default list; a map replaces only the entries
 * that it has (docs/codes.md#values-of-a-client).
 */
export const ClientSettings = named(
  'ClientSettings',
  object({
    itemTypes: Type.Optional(
      list(
        object({
          name: identifier(40, { description: 'Name of the type. Case, spaces and underscores do not matter' }),
          physical: flag({
            description:
              'true: items of this type are goods that can be picked and shipped. This value applies to items that do not state their eligibility for a fulfillment type',
          }),
          gift: flag({
            description: 'true: items of this type are gift cards, which need giftCardTenderCode and maxGCAmount',
          }),
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
        { description: 'Types of bar codes. Case, spaces, hyphens and underscores do not matter' },
      ),
    ),
    operationTypes: Type.Optional(
      object(
        {
          add: Type.Optional(
            list(
              identifier(20),
              { min: 1, max: 50 },
              { description: 'Values of operationType that add or change an element' },
            ),
          ),
          delete: Type.Optional(
            list(
              identifier(20),
              { min: 1, max: 50 },
              { description: 'Values of operationType that delete an element' },
            ),
          ),
        },
        {
          description:
            'Values of operationType in the lists of an item. Case, spaces, hyphens and underscores do not matter',
        },
      ),
    ),
    refusedItemStatuses: Type.Optional(
      list(
        identifier(12),
        { max: 20 },
        { description: 'Statuses of items for which the service rejects orders; default Discontinued' },
      ),
    ),
    streetDate: Type.Optional(
      oneOf(STREET_DATE_POLICIES, {
        description:
          'Orders for an item before its street date. REFUSE (default): the service rejects the order with 400. HOLD: the service accepts the order and holds the order until that date (status 1000)',
      }),
    ),
    salesClassesBeforeStreetDate: Type.Optional(
      list(
        identifier(25),
        { max: 50 },
        {
          description:
            'Sales classes of items whose street date is not checked; default advanceOrderLimited, backOrderLimited',
        },
      ),
    ),
    cancelReasons: Type.Optional(list(reason, { min: 1, max: 200 }, { description: 'Reasons for canceled units' })),
    slaMinutes: Type.Optional(
      optionalMap(
        SLA_STEPS,
        integer(1, YEAR_MINUTES, {
          description: 'Minutes from the entry into the queue until the deadline of the step',
        }),
        'Time of each step, for every fulfillment type',
      ),
    ),
    slaDefinitions: Type.Optional(slaDefinitions()),
    blankAfterDays: Type.Optional(
      integer(1, 3_650, {
        description: 'Days from the end of an order until its customer data is anonymized; default 180',
      }),
    ),
    pickTicketIdleMinutes: Type.Optional(
      integer(1, YEAR_MINUTES, {
        description: 'Minutes without activity after which an opened pick ticket is reset',
      }),
    ),
    statusDescriptions: Type.Optional(
      optionalMap(
        Object.keys(DEFAULT_SETTINGS.statusDescriptions),
        text(1, 60, { description: 'Description of the status' }),
        'Descriptions of the statuses of orders, by their codes',
      ),
    ),
    queueIds: Type.Optional(
      optionalMap(
        QUEUE_IDS,
        identifier(40, { description: 'The client’s id of this queue' }),
        'The client’s ids of queues, by their default ids',
      ),
    ),
    weightUnits: Type.Optional(
      list(
        identifier(UNIT_MAX),
        { min: 1, max: 20 },
        {
          description:
            'Units of weight allowed for packages. You can write a unit by any of its common names, for example `lb` or `LBS`',
        },
      ),
    ),
    sizeUnits: Type.Optional(
      list(
        identifier(UNIT_MAX),
        { min: 1, max: 20 },
        {
          description:
            'Units allowed for the sides of packages. You can write a unit by any of its common names, for example `in` or `inches`',
        },
      ),
    ),
    resourceTypes: Type.Optional(
      list(
        oneOf(RESOURCE_TYPES),
        { max: RESOURCE_TYPES.length },
        {
          description:
            'Fulfillment types, in addition to SHIP_TO_HOME, for which declined units create a re-source request. Default: none',
        },
      ),
    ),
    boxes: Type.Optional(list(box, { max: 50 }, { description: 'Boxes that packers choose from; default none' })),
    targets: Type.Optional(
      object(
        {
          linesPerHour: Type.Optional(integer(1, 10_000, { description: 'Target for lines per hour' })),
          shortPercent: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 100,
              description: 'Maximum share of short units, in percent of all units',
            }),
          ),
          late: Type.Optional(
            integer(0, 1_000_000_000, { description: 'Maximum number of orders that become late in a day' }),
          ),
        },
        { description: 'Target figures, which the boards show next to the actual figures' },
      ),
    ),
    verificationMethods: Type.Optional(
      list(
        identifier(40),
        { min: 1, max: 50 },
        {
          description:
            'Methods to verify the person who takes the goods, such as a kind of document. A method never contains the number of a document',
        },
      ),
    ),
    imageOrigins: Type.Optional(
      list(
        text(9, 260, {
          pattern: '^https?://[a-z0-9.-]+(?::[0-9]{1,5})?$',
          'x-hint': say('send an origin such as https://images.example.com: scheme and host in lower case, no path'),
        }),
        { max: 20 },
        { description: 'Origins of item pictures. The console shows only pictures from these origins' },
      ),
    ),
    printing: Type.Optional(Printing),
    receiving: Type.Optional(
      object(
        {
          over: Type.Optional(
            tolerance(
              'Tolerance for units above the announced quantity. Units beyond the tolerance are held. Default 0',
            ),
          ),
          short: Type.Optional(
            tolerance('Tolerance for missing units. Missing units beyond the tolerance need a reason. Default 0'),
          ),
          fourEyes: Type.Optional(
            flag({
              description: 'Whether a user other than the receiver must approve held units; default false',
            }),
          ),
          duplicateCartons: Type.Optional(
            oneOf(DUPLICATE_CARTONS, {
              description:
                'What happens to an ASN with a carton of another open ASN. REFUSE: the service rejects the ASN; WARN (default): the work of the node shows the carton as an exception',
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
            flag({ description: 'Whether the hand-over of an order that has a PIN needs the PIN; default false' }),
          ),
          attempts: Type.Optional(
            integer(1, 100, {
              description: 'Number of consecutive wrong PINs after which the PIN of the order is locked; default 5',
            }),
          ),
          lockMinutes: Type.Optional(
            integer(1, 10_080, { description: 'Duration of the lock in minutes; default 15' }),
          ),
        },
        { description: 'Rules for the PIN of an order at its hand-over' },
      ),
    ),
    handOverProof: Type.Optional(
      oneOf(['NONE', 'SIGNATURE', 'PHOTO', 'ANY'], {
        description:
          'Proof that each hand-over at the counter needs: a signature (SIGNATURE), a photo (PHOTO), or one of the two (ANY). Default: NONE',
      }),
    ),
    returns: Type.Optional(Returns),
    stock: Type.Optional(
      object(
        {
          countTolerance: Type.Optional(
            object(
              {
                percent: Type.Optional(
                  integer(0, 100, {
                    description:
                      'Allowed difference in percent of the level. The service rounds the result down to whole units. Default 0',
                  }),
                ),
                units: Type.Optional(integer(0, 1_000_000, { description: 'Allowed difference in units; default 0' })),
              },
              {
                description:
                  'Tolerance of a count. A count that differs by more than the larger of the two limits waits for approval',
              },
            ),
          ),
          promiseCheck: Type.Optional(
            oneOf(['ALL', 'ELIGIBLE'], {
              description:
                'Items whose stock is checked at a node with promise AVAILABLE. ALL (default) checks every item without infiniteInventory; ELIGIBLE checks only those that also have inventoryCheckEligible',
            }),
          ),
          transactions: Type.Optional(
            oneOf(STOCK_TRANSACTIONS, {
              description:
                'Transactions for an ERP system. STANDARD (default) records the types 31, 51, 61 and 71; ALL also records 41, 42, 72, 73, 81 and 82, beginning when you set this value',
            }),
          ),
        },
        { description: 'Counts, promises and transactions of stock' },
      ),
    ),
    contact: Type.Optional(
      object(
        {
          by: Type.Optional(
            oneOf(CONTACT_WAYS, {
              description:
                'EVENTS (default): one of your systems sends the messages when it reads the events; MAIL: this service sends mail',
            }),
          ),
          language: Type.Optional(
            oneOf(CONTACT_LANGUAGES, {
              description:
                'Language of the texts; default `en`. If you set a language, documents for customers are in this language, too',
            }),
          ),
          automatic: Type.Optional(
            list(
              oneOf(CONTACT_KINDS),
              { max: CONTACT_KINDS.length },
              {
                description:
                  'Kinds of mails that the service sends without a request. READY includes PARTLY_READY. The service sends a LATE mail only after a request. Default: READY and REMINDER',
              },
            ),
          ),
          sender: Type.Optional(text(1, 120, { description: 'Name in the mail; default: the name of the client' })),
          replyTo: Type.Optional(
            text(3, 255, {
              pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
              'x-hint': say('send an address such as service@example.com'),
              description: 'Address for responses of customers',
            }),
          ),
          texts: Type.Optional(
            optionalMap(
              CONTACT_KINDS,
              object(
                {
                  subject: text(1, 200, { description: 'Subject in one line' }),
                  text: text(1, 4_000, {
                    description:
                      'Text of the mail. The service replaces {name}, {order}, {place}, {address}, {until} and {sender} by their values',
                  }),
                },
                { description: 'Subject and text for this kind of message' },
              ),
              'Your texts, which replace the texts of the language',
            ),
          ),
        },
        { description: 'Messages to customers' },
      ),
    ),
  }),
);
