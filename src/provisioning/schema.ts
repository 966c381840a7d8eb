/**
 * Wire shapes of what an operator provisions. A `...Put` is what a PUT takes: the fields that can be written,
 * and those that a reply shows, so that what was read may be sent back (docs/interface.md#fields-sent-back).
 */

import { QUEUE_IDS, stepsOf } from '../kernel/states.ts';
import { GROUPS } from '../platform/ctx.ts';
import { UNIT_MAX } from '../platform/measures.ts';
import { CLIENT_ROLES } from '../platform/roles.ts';
import {
  dateTime,
  exact,
  flag,
  identifier,
  ignored,
  integer,
  list,
  named,
  object,
  oneOf,
  plainDate,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import {
  DECLINE_POLICIES,
  DEFAULT_SETTINGS,
  DUPLICATE_CARTONS,
  FULFILLMENT_TYPES,
  type FulfillmentType,
  RECEIVE_PLACES,
  SLA_COUNTS,
  SLA_STEPS,
  STOCK_EFFECTS,
  STOCK_KEEPING,
  STOCK_PROMISES,
  STREET_DATE_POLICIES,
} from '../shared/client-settings.ts';

/** Longest identifiers of the things that are made here (docs/interface.md#item-identity). */
export const LIMITS = { clientId: 32, storeId: 40, nodeId: 40, itemId: 40, userId: 64, providerId: 40 } as const;

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
const YEAR_MINUTES = 525_600;

const shown = { createdAt: dateTime(), updatedAt: dateTime() };
const sentBack = { createdAt: ignored(), updatedAt: ignored() };

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
const Printing = object(
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

/** Values of a client that replace the defaults: a list as a whole, a map entry by entry (docs/codes.md#values-of-a-client). */
const stockEffect = oneOf(STOCK_EFFECTS, {
  description:
    'Where stock is kept, what a unit declined for this reason is: MISSING or DAMAGED leaves the shelf for that place, NONE (default) stays',
});

const ClientSettings = named(
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
    cancelReasons: Type.Optional(
      list(
        object({
          code: identifier(40, { description: 'Code of the reason, compared exactly' }),
          description: text(1, 120, { description: 'Meaning, for people' }),
          stockEffect: Type.Optional(stockEffect),
        }),
        { min: 1, max: 200 },
        { description: 'Reasons of canceled units' },
      ),
    ),
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

const client = {
  name: text(1, 120, { description: 'Name of the retailer' }),
  catalogIds: list(
    identifier(4, {
      pattern: '^[^\\s-](?:[^-]*[^\\s-])?$',
      'x-hint': 'leave out hyphens and white space at its ends; an itemId is catalogId-clientItemId',
    }),
    { min: 1, max: 50 },
    { description: 'Catalogs of the client' },
  ),
};

export const ClientPut = named(
  'ClientPut',
  object({
    ...client,
    settings: Type.Optional(ClientSettings),
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    ...sentBack,
  }),
);
export type ClientPut = Static<typeof ClientPut>;

/** A retailer. `settings` are its own values; what it does not set has the default. */
export const Client = named('Client', object({ clientId: text(1, 32), ...client, settings: ClientSettings, ...shown }));
export type Client = Static<typeof Client>;

const store = {
  name: text(1, 120, { description: 'Name of the web store' }),
  catalogId: identifier(4, { description: 'One of the client’s catalogs' }),
  sellerId: identifier(40, { description: 'Seller of inbound messages; belongs to one client' }),
  storeCode: identifier(5, { description: 'StoreCode of inbound messages; one store per seller and code' }),
  currency: text(3, 3, {
    pattern: '^[A-Z]{3}$',
    'x-hint': 'send the three capital letters of ISO 4217',
    description: 'ISO 4217',
  }),
};

export const StorePut = named(
  'StorePut',
  object({
    ...store,
    returnsLabel: Type.Optional(flag({ description: 'Pack slips include a returns label; default false' })),
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    storeId: Type.Optional(Type.String({ minLength: 1 })),
    ...sentBack,
  }),
);
export type StorePut = Static<typeof StorePut>;

/** A web store (seller organization). */
export const Store = named(
  'Store',
  object({ clientId: text(1, 32), storeId: text(1, 40), ...store, returnsLabel: flag(), ...shown }),
);
export type Store = Static<typeof Store>;

const CLOCK = '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$';
const clock = (description: string) =>
  text(5, 5, { pattern: CLOCK, 'x-hint': 'send hh:mm from 00:00 to 24:00', description });

/** Address of the interface's shared shapes. */
const NodeAddress = named(
  'NodeAddress',
  object({
    line1: text(1, 100),
    line2: Type.Optional(text(0, 100)),
    line3: Type.Optional(text(0, 100)),
    line4: Type.Optional(text(0, 100)),
    city: text(1, 60),
    mainDivisionCode: Type.Optional(text(0, 40, { description: 'State or province; blank where there is none' })),
    postalCode: Type.Optional(text(0, 20, { description: 'Blank where there is none' })),
    countryCode: text(2, 2, {
      pattern: '^[A-Z]{2}$',
      'x-hint': 'send the two capital letters of ISO 3166',
      description: 'ISO 3166 alpha-2',
    }),
  }),
);

const node = {
  name: text(1, 120, { description: 'Name of the node' }),
  nodeType: oneOf(['STORE', 'WAREHOUSE']),
  timeZone: text(1, 60, { description: 'IANA time zone, for example Europe/Lisbon' }),
  address: NodeAddress,
};

/** What a PUT may leave out: then a text is blank and a list empty, and declinePolicy is NO_HOLD. */
const nodeDefaults = {
  phone: text(0, 40, { description: 'Telephone number; blank where there is none' }),
  openingHours: list(
    object({ dayOfWeek: oneOf(DAYS), opens: clock('Local time'), closes: clock('Local time, later than opens') }),
    { max: 42 },
    { description: 'None: always open' },
  ),
  holdLocations: list(identifier(40), { max: 500 }, { description: 'Places where picked goods wait; each once' }),
  fulfillmentTypes: list(
    oneOf(FULFILLMENT_TYPES),
    { max: 4 },
    { description: 'Types of orders the node works on, each once; none: it takes no orders' },
  ),
  holidays: list(plainDate(), { max: 500 }, { description: 'Local days on which the node is closed; each once' }),
  declinePolicy: oneOf(DECLINE_POLICIES, {
    description:
      'What becomes of an item the node declines: HOLD_UNTIL_FEED holds it there until its next node item feed, HOLD_UNTIL_RELEASED until it is released, NO_HOLD does not hold it',
  }),
};

/** How the node keeps stock. A PUT that leaves one out leaves it as it is; a new node has the first value. */
const nodeStock = {
  stock: oneOf(STOCK_KEEPING, { description: 'KEPT: the service keeps the stock of the node; NOT_KEPT: it does not' }),
  promise: oneOf(STOCK_PROMISES, {
    description:
      'What is promised where stock is kept: ANY takes every order in, AVAILABLE refuses one that wants more than is available',
  }),
  receiveTo: oneOf(RECEIVE_PLACES, { description: 'Where good units of a receipt go unless it says otherwise' }),
};

export const NodePut = named(
  'NodePut',
  object({
    ...node,
    phone: Type.Optional(nodeDefaults.phone),
    openingHours: Type.Optional(nodeDefaults.openingHours),
    holdLocations: Type.Optional(nodeDefaults.holdLocations),
    fulfillmentTypes: Type.Optional(nodeDefaults.fulfillmentTypes),
    holidays: Type.Optional(nodeDefaults.holidays),
    declinePolicy: Type.Optional(nodeDefaults.declinePolicy),
    stock: Type.Optional(nodeStock.stock),
    promise: Type.Optional(nodeStock.promise),
    receiveTo: Type.Optional(nodeStock.receiveTo),
    receivingWarehouseId: Type.Optional(
      identifier(5, {
        description:
          'ReceivingWarehouseId of inbound messages; default of a warehouse: its nodeId where that has at most 5 characters',
      }),
    ),
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    nodeId: Type.Optional(Type.String({ minLength: 1 })),
    ...sentBack,
  }),
);
export type NodePut = Static<typeof NodePut>;

/** A physical store or a warehouse. */
export const Node = named(
  'Node',
  object({
    clientId: text(1, 32),
    nodeId: text(1, 40),
    ...node,
    ...nodeDefaults,
    ...nodeStock,
    receivingWarehouseId: Type.Optional(text(1, 5)),
    ...shown,
  }),
);
export type Node = Static<typeof Node>;

/** What people who work at a node need to know of the settings of client and node: the lists they choose from. */
export const WorkSettings = named(
  'WorkSettings',
  object({
    name: node.name,
    timeZone: node.timeZone,
    holdLocations: nodeDefaults.holdLocations,
    receiveTo: nodeStock.receiveTo,
    stores: list(
      object({ storeId: text(1, 40), name: text(1, 120, { description: 'Name of the web store' }) }),
      { max: 500 },
      { description: 'Web stores of the client whose orders the caller may see' },
    ),
    queues: list(
      object({
        defaultId: text(1, 40, { description: 'The queue, by the name that it has everywhere' }),
        queueId: text(1, 40, { description: 'The client’s own name of it' }),
      }),
      { max: QUEUE_IDS.length },
      { description: 'Queues of the client' },
    ),
    cancelReasons: list(
      object({
        code: identifier(40, { description: 'Code of the reason, compared exactly' }),
        description: text(1, 120, { description: 'Meaning, for people' }),
        stockEffect: Type.Optional(stockEffect),
      }),
      { max: 200 },
      { description: 'Reasons of canceled, declined and refused units' },
    ),
    verificationMethods: list(
      identifier(40),
      { max: 50 },
      { description: 'How the person who takes goods may be verified; never a number of a document' },
    ),
    pin: object(
      {
        required: flag({ description: 'An order that has a PIN is handed over only with it' }),
        attempts: integer(1, 100, { description: 'Wrong PINs in a row after which an order is locked' }),
        lockMinutes: integer(1, 10_080, { description: 'Minutes that it stays locked' }),
      },
      { description: 'The PIN of an order at its hand-over' },
    ),
    weightUnits: list(identifier(UNIT_MAX), { max: 20 }, { description: 'Units of weight that packages may have' }),
    sizeUnits: list(identifier(UNIT_MAX), { max: 20 }, { description: 'Units that the sides of packages may have' }),
    imageOrigins: list(
      text(9, 260),
      { max: 20 },
      { description: 'Origins that pictures of items come from; the console shows pictures of no others' },
    ),
    printing: Printing,
  }),
);
export type WorkSettings = Static<typeof WorkSettings>;

const nodeItem = {
  retailPrice: Type.Optional(
    exact({ integer: 19, fraction: 2, min: 0.01 }, { description: 'Price on the shelf, shown on pick tickets' }),
  ),
  pickLocation: Type.Optional(identifier(40, { description: 'Where the item lies; tickets are sorted by it' })),
  onHand: Type.Optional(integer(0, 999_999_999, { description: 'Units the node says it has' })),
};

export const NodeItemPut = named(
  'NodeItemPut',
  object({
    ...nodeItem,
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    nodeId: Type.Optional(Type.String({ minLength: 1 })),
    itemId: Type.Optional(Type.String({ minLength: 1 })),
    updatedAt: ignored(),
  }),
);
export type NodeItemPut = Static<typeof NodeItemPut>;

/** What a node knows of an item. */
export const NodeItem = named(
  'NodeItem',
  object({ clientId: text(1, 32), nodeId: text(1, 40), itemId: text(1, 40), ...nodeItem, updatedAt: dateTime() }),
);
export type NodeItem = Static<typeof NodeItem>;

const narrowing = {
  storeIds: Type.Optional(
    list(identifier(40), { min: 1, max: 200 }, { description: 'Only these stores; left out: all' }),
  ),
  nodeIds: Type.Optional(
    list(identifier(40), { min: 1, max: 200 }, { description: 'Only these nodes; left out: all' }),
  ),
};
const groups = list(oneOf(GROUPS), { min: 1, max: GROUPS.length }, { description: 'Groups of operations' });

export const CredentialPost = named(
  'CredentialPost',
  object({
    label: text(1, 120, { description: 'What the credential is for' }),
    ...narrowing,
    groups: Type.Optional(
      list(
        oneOf(GROUPS),
        { min: 1, max: GROUPS.length },
        { description: 'Groups of operations; left out: all, but only fulfillment with nodeIds' },
      ),
    ),
    expiresAt: Type.Optional(
      dateTime({ description: 'From this instant on the credential is refused; left out: never' }),
    ),
  }),
);
export type CredentialPost = Static<typeof CredentialPost>;

/** The texts of a new credential, shown once. */
export const NewCredential = named(
  'NewCredential',
  object({
    credentialId: text(1, 40),
    apiKey: text(1, 400, { description: 'Value of the apiKey header' }),
    username: text(1, 200, { description: 'User name of Authorization: Basic' }),
    password: text(1, 100, { description: 'Password of Authorization: Basic' }),
    ...narrowing,
    groups,
    expiresAt: Type.Optional(dateTime({ description: 'From this instant on the credential is refused' })),
    proposedExpiresAt: Type.Optional(
      dateTime({ description: 'When to have replaced a credential that was made without expiresAt; it stays good' }),
    ),
  }),
);

/** A credential without its secrets. */
export const Credential = named(
  'Credential',
  object({
    clientId: text(1, 32),
    credentialId: text(1, 40),
    label: text(1, 120, { description: 'What the credential is for' }),
    username: text(1, 200),
    ...narrowing,
    groups,
    expiresAt: Type.Optional(dateTime()),
    revokedAt: Type.Optional(dateTime()),
    createdAt: dateTime(),
  }),
);
export type Credential = Static<typeof Credential>;

const user = {
  name: text(1, 120, { description: 'Name of the user' }),
  role: oneOf(CLIENT_ROLES, { description: 'What the user may do' }),
  nodeIds: list(
    identifier(40),
    { max: 200 },
    { description: 'Nodes where the user works; none: every node of the client' },
  ),
};

const userState = oneOf(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: the user cannot sign in, and the sessions have ended; left out on PUT: unchanged',
});
const userLanguage = text(2, 35, {
  pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
  'x-hint': 'send a language tag such as en or de-CH',
  description: 'Language of the console; left out on PUT: unchanged',
});

const identities = list(
  object({
    providerId: identifier(40, { description: 'Identity provider of the client' }),
    subject: text(1, 255, { description: 'Who the user is there: `sub` of the ID token, compared exactly' }),
  }),
  { max: 20 },
  { description: 'Accounts at identity providers with which the user signs in; left out on PUT: unchanged' },
);

export const UserPut = named(
  'UserPut',
  object({
    ...user,
    password: Type.Optional(
      text(8, 200, {
        'x-secret': true,
        description:
          'At least 12 characters, or at least 8 and not among common passwords; required for a new user; left out: unchanged',
      }),
    ),
    state: Type.Optional(userState),
    language: Type.Optional(userLanguage),
    identities: Type.Optional(identities),
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    userId: Type.Optional(Type.String({ minLength: 1 })),
    ...sentBack,
  }),
);
export type UserPut = Static<typeof UserPut>;

/** A row of a file of users: a file is no place for passwords. */
export const UserImport = object({
  ...user,
  state: Type.Optional(userState),
  language: Type.Optional(userLanguage),
  identities: Type.Optional(identities),
  clientId: Type.Optional(Type.String({ minLength: 1 })),
  userId: Type.Optional(Type.String({ minLength: 1 })),
  ...sentBack,
});

/** A user of the console, without the password. */
export const User = named(
  'User',
  object({
    clientId: text(1, 32),
    userId: text(1, 64),
    ...user,
    state: userState,
    language: Type.Optional(userLanguage),
    identities: Type.Optional(identities),
    ...shown,
  }),
);
export type User = Static<typeof User>;

const issuer = text(1, 500, {
  pattern: '^https?://[^\\s]+$',
  'x-hint': 'send an https url such as https://login.example.com/realms/shop',
  description:
    'Issuer of the provider, as its discovery document states it (`<issuer>/.well-known/openid-configuration`); https and a public address, unless PUBLIC_URL is http on loopback',
});

const identityProvider = {
  issuer,
  oidcClientId: text(1, 200, { description: 'Identifier of Backroom at the provider (client id)' }),
};

/** What a PUT may leave out, and then has its default. */
const providerDefaults = {
  name: text(1, 60, { description: 'Text of the button on the sign-in page; default: the providerId' }),
  scopes: list(
    text(1, 80, { pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', 'x-hint': 'send scopes one by one, without spaces' }),
    { max: 20 },
    { description: 'Scopes that are asked for; openid is always added. Default: openid, profile' },
  ),
  createUsers: flag({
    description:
      'Whether somebody whom no user is linked to becomes a new user `oidc-<UUID>` with the mapped role; default false: they are rejected',
  }),
  nodeIds: list(
    identifier(40),
    { max: 200 },
    { description: 'Nodes where users made by the provider work; none (default): every node of the client' },
  ),
};

const roleMapping = {
  roleClaim: Type.Optional(
    text(1, 200, {
      pattern: '^(?:/(?:[^~/]|~[01])*)+$',
      'x-hint': 'send a JSON pointer into the ID token, such as /roles or /realm_access/roles',
      description:
        'JSON pointer to the claim of the ID token that names the roles, a text or a list of texts. Left out: roles stay as the users have them, and createUsers must be false',
    }),
  ),
  roles: Type.Optional(
    Type.Unsafe<Record<string, (typeof CLIENT_ROLES)[number]>>({
      type: 'object',
      additionalProperties: oneOf(CLIENT_ROLES),
      maxProperties: 100,
      description:
        'Role by value of the claim, compared exactly; of several that match the first counts. Needed with roleClaim',
    }),
  ),
};

export const IdentityProviderPut = named(
  'IdentityProviderPut',
  object({
    ...identityProvider,
    clientSecret: Type.Optional(
      text(1, 500, {
        'x-secret': true,
        description: 'Secret of Backroom at the provider; required for a new one, left out: unchanged',
      }),
    ),
    name: Type.Optional(providerDefaults.name),
    scopes: Type.Optional(providerDefaults.scopes),
    ...roleMapping,
    createUsers: Type.Optional(providerDefaults.createUsers),
    nodeIds: Type.Optional(providerDefaults.nodeIds),
    clientId: Type.Optional(Type.String({ minLength: 1 })),
    providerId: Type.Optional(Type.String({ minLength: 1 })),
    ...sentBack,
  }),
);
export type IdentityProviderPut = Static<typeof IdentityProviderPut>;

/** An identity provider of a client, without its secret. */
export const IdentityProvider = named(
  'IdentityProvider',
  object({
    clientId: text(1, 32),
    providerId: text(1, 40),
    ...identityProvider,
    ...providerDefaults,
    ...roleMapping,
    ...shown,
  }),
);
export type IdentityProvider = Static<typeof IdentityProvider>;

/** Named schemas of provisioning, for the document. */
export const provisioningSchemas = [
  ClientSettings,
  ClientPut,
  Client,
  StorePut,
  Store,
  NodeAddress,
  NodePut,
  Node,
  WorkSettings,
  NodeItemPut,
  NodeItem,
  CredentialPost,
  NewCredential,
  Credential,
  UserPut,
  User,
  IdentityProviderPut,
  IdentityProvider,
];
