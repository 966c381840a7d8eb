/**
 * Values a retailer may change, as data with defaults (docs/codes.md#values-of-a-client). A client's own
 * values are kept in its `settings` and replace the default list or entry as a whole.
 */
import { lru } from '../platform/lru.ts';

export const FULFILLMENT_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'] as const;
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number];

/** Types of items; compared without case, space and underscore, answered as written here. */
export interface ItemType {
  name: string;
  /** Physical goods can be picked and shipped: they are eligible for fulfillment unless the item says otherwise. */
  physical: boolean;
  /** Gift items need giftCardTenderCode and maxGCAmount. */
  gift: boolean;
}

export interface ReasonCode {
  code: string;
  description: string;
  /** Left out: NONE. */
  stockEffect?: StockEffect;
}

/** Steps whose time runs; REVERSE_PICK is bringing canceled units back to the shelf. */
export const SLA_STEPS = [
  'START_PICK',
  'COMPLETE_PICK',
  'PACK',
  'CHECK_IN',
  'CUSTOMER_PICKUP',
  'DELIVERY',
  'REVERSE_PICK',
] as const;
export type SlaStep = (typeof SLA_STEPS)[number];

/** Which time counts for a step: minutes in which the node is open, or every minute. */
export const SLA_COUNTS = ['OPEN', 'ELAPSED'] as const;

/** When a step is approaching and when it is expired, in minutes from entering its queue; the first is less than the second. */
export interface SlaDefinition {
  approachingMinutes: number;
  expiredMinutes: number;
  counts: (typeof SLA_COUNTS)[number];
}

/** What intake does with an order that names an item before its street date. */
export const STREET_DATE_POLICIES = ['REFUSE', 'HOLD'] as const;

/** What becomes of an item that a node declines (docs/decisions/117). */
export const DECLINE_POLICIES = ['HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED', 'NO_HOLD'] as const;

/** Whether the service keeps the stock of a node, what it promises of it, and where good units of a receipt go. */
export const STOCK_KEEPING = ['NOT_KEPT', 'KEPT'] as const;
export const STOCK_PROMISES = ['ANY', 'AVAILABLE'] as const;
export const RECEIVE_PLACES = ['SHELF', 'STAGE'] as const;

/** What a unit that is declined for a reason is, where stock is kept. */
export const STOCK_EFFECTS = ['NONE', 'MISSING', 'DAMAGED'] as const;
export type StockEffect = (typeof STOCK_EFFECTS)[number];

export interface Settings {
  itemTypes: ItemType[];
  salesClasses: string[];
  itemStatuses: string[];
  giftCardTenderCodes: string[];
  /** Types of bar codes; compared without case, space, hyphen and underscore, answered as written here. */
  upcTypes: string[];
  /** Words for what to do with an element of an item's list, compared in the same way. */
  operationTypes: { add: string[]; delete: string[] };
  /** Statuses of items of which no order is taken in. */
  refusedItemStatuses: string[];
  /** What becomes of an order with an item before its street date: refused, or taken in and held until then. */
  streetDate: (typeof STREET_DATE_POLICIES)[number];
  /** Sales classes of items that are sold before their street date: for them it is not asked. */
  salesClassesBeforeStreetDate: string[];
  cancelReasons: ReasonCode[];
  /** Minutes from entering the queue until the step is expired, whatever the type (docs/interface.md#sla-steps). */
  slaMinutes: Record<SlaStep, number>;
  /** What differs from that for a step of a fulfillment type. */
  slaDefinitions: Partial<Record<FulfillmentType, Partial<Record<SlaStep, Partial<SlaDefinition>>>>>;
  /** Days after an order's end at which its customer's data is blanked (docs/decisions/124). */
  blankAfterDays: number;
  /** Minutes after which an opened pick ticket on which nobody works goes back to its queue. */
  pickTicketIdleMinutes: number;
  /** Description of an order's status code, as the queue search answers it. */
  statusDescriptions: Record<string, string>;
  /** The operator's names of the default queues (docs/codes.md#queues); a queue not listed keeps its default name. */
  queueIds: Record<string, string>;
  /** Units of weight and of size that packages may have, under any of their names; those named as here are kept as written here. */
  weightUnits: string[];
  sizeUnits: string[];
  /** How the person who takes goods may be verified; never a number of a document. */
  verificationMethods: string[];
  pin: PinSettings;
  receiving: ReceivingSettings;
  /** Origins that pictures of items come from, which the console may show. */
  imageOrigins: string[];
  /** What stands on every printed document. */
  printing: PrintingSettings;
  stock: StockSettings;
}

/** A count that differs from the level by more than the larger of both waits for approval. */
interface StockSettings {
  countTolerance: {
    /** Of the level, rounded down. */
    percent: number;
    units: number;
  };
  /** Items that a promise of AVAILABLE asks for: all but the infinite ones, or of those the ones of `inventoryCheckEligible`. */
  promiseCheck: 'ALL' | 'ELIGIBLE';
}

/** Whether an order for the item is refused where a node promises only what is available, and less is. */
export function isAskedFor(
  { stock }: Pick<Settings, 'stock'>,
  item: { infiniteInventory?: boolean; inventoryCheckEligible?: boolean } | undefined,
): boolean {
  if (item?.infiniteInventory === true) return false;
  return stock.promiseCheck === 'ALL' || item?.inventoryCheckEligible === true;
}

/** Logo and texts of the client's documents (docs/how-to/print.md). */
interface PrintingSettings {
  logoUrl?: string;
  header?: string;
  footer?: string;
  returnText?: string;
}

/** Units by which what arrives may differ from what was announced; percent is floored, the larger of both counts. */
interface Tolerance {
  percent: number;
  units: number;
}

/** How goods are received (docs/receiving.md). */
interface ReceivingSettings {
  /** Good units beyond it are held until somebody approves them. */
  over: Tolerance;
  /** Less that is missing needs no reason when a shipment is closed. */
  short: Tolerance;
  /** Whoever received held units does not approve them. */
  fourEyes: boolean;
  /** What becomes of an ASN with a carton that another open one announces. */
  duplicateCartons: (typeof DUPLICATE_CARTONS)[number];
}

export const DUPLICATE_CARTONS = ['WARN', 'REFUSE'] as const;

/** The PIN of an order at its hand-over (docs/decisions/109). */
interface PinSettings {
  /** An order that has a PIN is handed over only with it; else it is checked where the message gives one. */
  required: boolean;
  /** Wrong ones in a row after which it is locked. */
  attempts: number;
  lockMinutes: number;
}

const physical = (name: string): ItemType => ({ name, physical: true, gift: false });
const virtual = (name: string): ItemType => ({ name, physical: false, gift: false });

export const DEFAULT_SETTINGS: Settings = {
  itemTypes: [
    physical('MERCH'),
    physical('GIFT WRAP'),
    { name: 'GC', physical: true, gift: true },
    { name: 'OGC', physical: false, gift: true },
    { name: 'VGC', physical: false, gift: true },
    virtual('CUSTOM'),
    virtual('DONATION'),
    virtual('GIFT MESSAGE'),
    virtual('POST SALE FULFILLMENT'),
    virtual('REFUND OGC'),
    virtual('REFUND OGC FOR COD'),
    virtual('REFUND OGC FOR CVS'),
    virtual('REFUND VGC'),
    virtual('WARRANTY'),
    virtual('WARRANTY DEP'),
    virtual('WARRANTY ALONE AND DEP'),
    virtual('INSTALL SVC DEP'),
    virtual('INSTALL SVC ALONE AND DEP'),
  ],
  salesClasses: ['stock', 'advanceOrderOpen', 'advanceOrderLimited', 'backOrderLimited'],
  itemStatuses: ['Active', 'Inactive', 'Discontinued'],
  giftCardTenderCodes: ['SD'],
  upcTypes: [
    'UPC',
    'EAN',
    'IAN',
    'JAN',
    'GTIN',
    'A',
    'D',
    'P',
    'UPCA',
    'UPCE',
    'EAN8',
    'EAN13',
    'GTIN8',
    'GTIN12',
    'GTIN13',
    'GTIN14',
    'ISBN',
    'ISBN10',
    'ISBN13',
    'ASIN',
  ],
  operationTypes: {
    add: ['add', 'change', 'update', 'create', 'insert', 'modify', 'replace', 'upsert'],
    delete: ['delete', 'remove'],
  },
  refusedItemStatuses: ['Discontinued'],
  streetDate: 'REFUSE',
  salesClassesBeforeStreetDate: ['advanceOrderLimited', 'backOrderLimited'],
  cancelReasons: [
    { code: 'IPD', description: 'Declined in the store' },
    { code: 'CancelMXOutOfStock', description: 'Out of stock' },
    { code: 'CancelMXPickDecline', description: 'Declined at picking' },
    { code: 'CancelMXCustomerAbandon', description: 'Not collected by the customer' },
    { code: 'CancelMXCreditCustomerRefusal', description: 'Refused by the customer' },
    { code: 'CancelMXStoreInactivity', description: 'Not handled by the store in time' },
    { code: 'CancelInventoryDiscrepancy', description: 'Stock record was wrong' },
    { code: 'CancelCustomerInitiated', description: 'Canceled by the customer' },
    { code: 'CancelGeneric', description: 'Other reason' },
    { code: 'STSProductReceivedDamagedExterior', description: 'Package arrived damaged' },
    { code: 'STSProductReceivedDamagedInterior', description: 'Product arrived damaged inside its package' },
    { code: 'STSPackageNotReceived', description: 'Package did not arrive' },
    { code: 'STSProductNotReceived', description: 'Product was not in the package' },
    { code: 'STSWrongProductReceived', description: 'Another product was in the package' },
  ],
  slaMinutes: {
    START_PICK: 45,
    COMPLETE_PICK: 90,
    PACK: 120,
    CHECK_IN: 240,
    CUSTOMER_PICKUP: 10_080,
    DELIVERY: 240,
    REVERSE_PICK: 240,
  },
  slaDefinitions: {},
  blankAfterDays: 180,
  pickTicketIdleMinutes: 120,
  statusDescriptions: {
    1000: 'Held until street date',
    1100: 'Waiting for pick',
    1150: 'Picking',
    1200: 'Waiting for pack',
    1300: 'Waiting for check-in',
    1400: 'Ready for customer pickup',
    1500: 'Waiting for delivery',
    3700: 'Shipped',
    3800: 'Picked up',
    3900: 'Delivered',
    8000: 'Canceled, goods to return',
    9000: 'Canceled',
    9100: 'Returned for re-sourcing',
    9200: 'Re-sourced',
  },
  queueIds: {},
  weightUnits: ['LBS', 'LB', 'OZ', 'TON', 'KG', 'G', 'MG', 'TONNE'],
  sizeUnits: ['IN', 'FT', 'YD', 'CM', 'M', 'MM'],
  verificationMethods: ['PIN', 'PHOTO_ID', 'ORDER_EMAIL', 'PAYMENT_CARD', 'OTHER'],
  receiving: {
    over: { percent: 0, units: 0 },
    short: { percent: 0, units: 0 },
    fourEyes: false,
    duplicateCartons: 'WARN',
  },
  imageOrigins: [],
  printing: {},
  pin: { required: false, attempts: 5, lockMinutes: 15 },
  stock: { countTolerance: { percent: 0, units: 0 }, promiseCheck: 'ALL' },
};

/** Texts of settings whose meaning this process remembers: a client's changes seldom, and every write asks for it. */
const REMEMBERED = 1_000;
const remembered = lru<string, Settings>(REMEMBERED);

/**
 * A client's settings over the defaults: lists replace, maps merge entry by entry. The object is the caller's own; what it
 * consists of is shared and cannot be changed.
 */
export function settingsOf({ settings }: { settings: string }): Settings {
  let known = remembered.get(settings);
  if (known === undefined) {
    known = frozen(merged(JSON.parse(settings) as Partial<Settings>));
    remembered.set(settings, known);
  }
  return { ...known };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function merged(own: Partial<Settings>): Settings {
  return {
    ...DEFAULT_SETTINGS,
    ...own,
    slaMinutes: { ...DEFAULT_SETTINGS.slaMinutes, ...own.slaMinutes },
    statusDescriptions: { ...DEFAULT_SETTINGS.statusDescriptions, ...own.statusDescriptions },
    queueIds: { ...DEFAULT_SETTINGS.queueIds, ...own.queueIds },
    operationTypes: { ...DEFAULT_SETTINGS.operationTypes, ...own.operationTypes },
    pin: { ...DEFAULT_SETTINGS.pin, ...own.pin },
    stock: {
      ...DEFAULT_SETTINGS.stock,
      ...own.stock,
      countTolerance: { ...DEFAULT_SETTINGS.stock.countTolerance, ...own.stock?.countTolerance },
    },
    receiving: receivingOf(own.receiving),
  };
}

function receivingOf(own: { over?: Partial<Tolerance>; short?: Partial<Tolerance> } = {}): ReceivingSettings {
  const { over, short } = DEFAULT_SETTINGS.receiving;
  return {
    ...DEFAULT_SETTINGS.receiving,
    ...own,
    over: { ...over, ...own.over },
    short: { ...short, ...own.short },
  };
}

/** Finds a type of item whatever its case, spaces and underscores (docs/interface.md#item-values). */
export function findItemType(settings: Settings, written: string): ItemType | undefined {
  let types = typesByName.get(settings.itemTypes);
  if (types === undefined) {
    types = new Map(settings.itemTypes.toReversed().map((type) => [plainName(type.name), type]));
    typesByName.set(settings.itemTypes, types);
  }
  return types.get(plainName(written));
}

/** Of two types with the same name but for its spelling the first counts. */
const typesByName = new WeakMap<readonly ItemType[], Map<string, ItemType>>();

/** A word of a list as it is compared. */
export function plainName(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

/** The word of a list that `written` is whatever its case, spaces, hyphens and underscores. */
export function findSpelling(words: readonly string[], written: string): string | undefined {
  let known = spellings.get(words);
  if (known === undefined) {
    known = new Map(words.toReversed().map((word) => [plainName(word), word]));
    spellings.set(words, known);
  }
  return known.get(plainName(written));
}

const spellings = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** Finds a cancel reason by its code, exactly as written. */
export function findReason(settings: Settings, code: string): ReasonCode | undefined {
  return settings.cancelReasons.find((reason) => reason.code === code);
}

/** What a declined unit is by the reason it was given; a reason that is no longer known has no effect. */
export function stockEffectOf(settings: Pick<Settings, 'cancelReasons'>, code: string): StockEffect {
  return settings.cancelReasons.find((reason) => reason.code === code)?.stockEffect ?? 'NONE';
}
