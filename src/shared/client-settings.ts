/**
 * Settings that a client can change, with defaults (docs/codes.md#values-of-a-client). The client's `settings` has its
 * own values. A list replaces the default list; an entry of a map replaces the default entry.
 */

import { readJson } from '../platform/json-column.ts';
import { lru } from '../platform/lru.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { DEFAULT_MINUTES, DEFAULT_REASONS } from './default-settings.ts';
import { DEFAULT_RETURNS, type ReturnSettings, withConditions } from './return-settings.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    FulfillmentType: FulfillmentType;
    Settings: Own<Settings>;
  }
}

export const FULFILLMENT_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'] as const;
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number];

/**
 * Types that a client can add to `resourceTypes`. SHIP_TO_STORE is not among them: the goods of such an order are sent
 * to the node of the order, so no other node can serve the order.
 */
export const RESOURCE_TYPES = ['STORE_PICK_UP', 'ASSOCIATE_DELIVERY'] as const satisfies readonly FulfillmentType[];

/**
 * A type of item. Comparisons of its name ignore case, spaces, hyphens and underscores; responses have the spelling of
 * `name`.
 */
export interface ItemType {
  name: string;
  /**
   * Whether the goods are physical. Physical goods can be picked and shipped; they are eligible for fulfillment unless
   * the item excludes it.
   */
  physical: boolean;
  /** Whether the items are gifts, which need giftCardTenderCode and maxGCAmount. */
  gift: boolean;
}

export interface ReasonCode {
  code: string;
  description: string;
  /** Effect of this reason on the stock of a declined unit, at nodes that keep stock; default NONE. */
  stockEffect?: StockEffect;
}

/** Steps with a time limit; in REVERSE_PICK, canceled units are put back on the shelf. */
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

/** Minutes that count for a step. OPEN: only while the node is open. ELAPSED: all minutes. */
export const SLA_COUNTS = ['OPEN', 'ELAPSED'] as const;

/**
 * Time limits of a step, in minutes after the order enters its queue. `approachingMinutes` is less than
 * `expiredMinutes`.
 */
export interface SlaDefinition {
  approachingMinutes: number;
  expiredMinutes: number;
  counts: (typeof SLA_COUNTS)[number];
}

/** Handling of an order that has an item before its street date. */
export const STREET_DATE_POLICIES = ['REFUSE', 'HOLD'] as const;

/** Handling of an item that a node declines (docs/interface.md#short-picks). */
export const DECLINE_POLICIES = ['HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED', 'NO_HOLD'] as const;

/**
 * Settings of a node: whether it keeps stock, which units it promises, and the place of the good units of a receipt.
 */
export const STOCK_KEEPING = ['NOT_KEPT', 'KEPT'] as const;
export const STOCK_PROMISES = ['ANY', 'AVAILABLE'] as const;
export const RECEIVE_PLACES = ['SHELF', 'STAGE'] as const;

/** Transactions of stock that are recorded for an ERP system. */
export const STOCK_TRANSACTIONS = ['STANDARD', 'ALL'] as const;

/** Effect of a decline reason on the stock of a declined unit, at nodes that keep stock. */
export const STOCK_EFFECTS = ['NONE', 'MISSING', 'DAMAGED'] as const;
export type StockEffect = (typeof STOCK_EFFECTS)[number];

/** Kinds of proofs at a hand-over. `HAND_OVER_PROOFS` has the kinds that each value of `handOverProof` accepts. */
export const PROOF_KINDS = ['SIGNATURE', 'PHOTO'] as const;
export const HAND_OVER_PROOFS = {
  NONE: [],
  SIGNATURE: ['SIGNATURE'],
  PHOTO: ['PHOTO'],
  ANY: PROOF_KINDS,
} as const satisfies Record<string, readonly (typeof PROOF_KINDS)[number][]>;

export interface Settings {
  itemTypes: ItemType[];
  salesClasses: string[];
  itemStatuses: string[];
  giftCardTenderCodes: string[];
  /**
   * Types of bar codes. Comparisons ignore case, spaces, hyphens and underscores; responses have the spelling of this
   * list.
   */
  upcTypes: string[];
  /**
   * Words for adding and deleting an element of an item's list. Comparisons ignore case, spaces, hyphens and
   * underscores.
   */
  operationTypes: { add: string[]; delete: string[] };
  /** Intake rejects orders for items with one of these statuses. */
  refusedItemStatuses: string[];
  /** Handling of an order with an item before its street date: rejected, or accepted and held until that date. */
  streetDate: (typeof STREET_DATE_POLICIES)[number];
  /** Sales classes whose items need no check of the street date. */
  salesClassesBeforeStreetDate: string[];
  cancelReasons: ReasonCode[];
  /**
   * Minutes from the time at which an order enters the queue until the step expires, for all fulfillment types
   * (docs/interface.md#sla-steps).
   */
  slaMinutes: Record<SlaStep, number>;
  /** Limits of a step for one fulfillment type, instead of `slaMinutes`. */
  slaDefinitions: Partial<Record<FulfillmentType, Partial<Record<SlaStep, Partial<SlaDefinition>>>>>;
  /** Days between the end of an order and the anonymization of its customer's data (docs/sla.md#what-happens). */
  blankAfterDays: number;
  /** Minutes without further work after which an opened pick ticket returns to its queue, as after a reset. */
  pickTicketIdleMinutes: number;
  /** The client's names of the status codes of orders, in responses, events and messages. */
  statusDescriptions: Record<string, string>;
  /**
   * The client's names of the default queues (docs/codes.md#queues); a queue that is not listed keeps its default name.
   */
  queueIds: Record<string, string>;
  /**
   * Units of weight and of size that packages can have. A message can use any name of such a unit. A name that is in
   * one of the lists is stored in the spelling of the list.
   */
  weightUnits: string[];
  sizeUnits: string[];
  /** Fulfillment types, in addition to SHIP_TO_HOME, whose declined units become a re-source request. */
  resourceTypes: (typeof RESOURCE_TYPES)[number][];
  /** Boxes of the client: a user chooses a box instead of entering its size. */
  boxes: Box[];
  /** Target figures, which the boards show next to the actual figures. */
  targets: Targets;
  /**
   * Methods of verifying the identity of the person who takes the goods. An entry is a method such as PHOTO_ID, never
   * the number of a document.
   */
  verificationMethods: string[];
  pin: PinSettings;
  /** Proof that a hand-over at the counter needs. */
  handOverProof: keyof typeof HAND_OVER_PROOFS;
  receiving: ReceivingSettings;
  /** Origins from which the console can show item pictures. */
  imageOrigins: string[];
  /** Logo and texts of printed documents. */
  printing: PrintingSettings;
  stock: StockSettings;
  contact: ContactSettings;
  returns: ReturnSettings;
}

/** A box by its name; `weight` is the weight of the empty box. */
interface Box {
  name: string;
  length: number;
  width: number;
  height: number;
  sizeUnit: string;
  weight?: number;
  weightUnit?: string;
}

interface Targets {
  linesPerHour?: number;
  /** Maximum percentage of short units. */
  shortPercent?: number;
  /** Maximum number of orders that become late per day. */
  late?: number;
}

/** Sender, language and texts of messages to customers (docs/contact.md). */
interface ContactSettings {
  /** Sender of the messages. EVENTS: systems of the retailer, which read the feed. MAIL: this service. */
  by: (typeof CONTACT_WAYS)[number];
  language: ContactLanguage;
  /** Kinds of messages that are sent automatically. */
  automatic: ContactKind[];
  /** Name of the sender in the mail; default: the name of the client. */
  sender?: string;
  replyTo?: string;
  /** Texts of the client, by kind. A kind without a text here has the default text of the language. */
  texts: Partial<Record<ContactKind, ContactText>>;
}

export const CONTACT_WAYS = ['EVENTS', 'MAIL'] as const;
export const CONTACT_LANGUAGES = ['en', 'de', 'es'] as const;
export type ContactLanguage = (typeof CONTACT_LANGUAGES)[number];
export const CONTACT_KINDS = ['READY', 'PARTLY_READY', 'LATE', 'REMINDER'] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

export interface ContactText {
  subject: string;
  text: string;
}

/**
 * The part of the settings that a client sets. Every field of an object is optional. Lists and contact texts are set as
 * a whole, and a map can have any entries.
 */
type Own<T> = T extends readonly unknown[] | ContactText
  ? T
  : string extends keyof T
    ? T
    : T extends object
      ? { [K in keyof T]?: Own<T[K]> }
      : T;

/**
 * A count of an item needs approval if its difference from the level exceeds both the percentage and the units. The
 * first count of an item needs no approval.
 */
interface StockSettings {
  countTolerance: {
    /** Percentage of the level. The resulting number of units is rounded down. */
    percent: number;
    units: number;
  };
  /**
   * Items whose available stock is checked at nodes with the promise AVAILABLE: ALL, or only those with
   * `inventoryCheckEligible`. Items with infinite inventory are never checked.
   */
  promiseCheck: 'ALL' | 'ELIGIBLE';
  /**
   * Transactions that are recorded for an ERP system. STANDARD: the types marked *always* in docs/stock.md. ALL: also
   * shipments, arrivals, damage and others.
   */
  transactions: (typeof STOCK_TRANSACTIONS)[number];
}

/** Whether an order for the item needs available units, at a node that promises only available units. */
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

/**
 * Permitted difference between received and announced units: the larger of the percentage, rounded down, and the units.
 */
interface Tolerance {
  percent: number;
  units: number;
}

/** Settings of receiving (docs/receiving.md). */
interface ReceivingSettings {
  /** Limit for more units than announced: good units beyond it are held until they are approved. */
  over: Tolerance;
  /** Limit for fewer units than announced: beyond it, closing a shipment needs a reason. */
  short: Tolerance;
  /** Whether a user other than the receiver must approve held units. */
  fourEyes: boolean;
  /** Handling of an ASN with a carton that another open ASN announces. */
  duplicateCartons: (typeof DUPLICATE_CARTONS)[number];
}

export const DUPLICATE_CARTONS = ['WARN', 'REFUSE'] as const;

/** Rules for the PIN of an order at its hand-over (docs/interface.md#hand-over-and-delivery). */
interface PinSettings {
  /**
   * Whether an order with a PIN needs the PIN for the hand-over. If not, the PIN is checked only if the message has a
   * PIN.
   */
  required: boolean;
  /** Number of consecutive wrong PINs after which the PIN is locked. */
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
  cancelReasons: DEFAULT_REASONS,
  slaMinutes: DEFAULT_MINUTES,
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
  resourceTypes: [],
  boxes: [],
  targets: {},
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
  handOverProof: 'NONE',
  stock: { countTolerance: { percent: 0, units: 0 }, promiseCheck: 'ALL', transactions: 'STANDARD' },
  contact: { by: 'EVENTS', language: 'en', automatic: ['READY', 'REMINDER'], texts: {} },
  returns: DEFAULT_RETURNS,
};

/** Maximum number of clients' settings in the cache. Every write needs the settings, and they seldom change. */
const REMEMBERED = 1_000;
const remembered = lru<string, Settings>(REMEMBERED);

/**
 * Merges a client's settings with the defaults: lists replace the default, maps merge entry by entry. Each call returns
 * a new object; its values are shared and frozen.
 */
export function settingsOf({ settings }: Pick<ClientRow, 'settings'>): Settings {
  let known = remembered.get(settings);
  if (known === undefined) {
    known = frozen(merged(readJson(settings)));
    remembered.set(settings, known);
  }
  return { ...known };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function merged(own: Own<Settings>): Settings {
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
    contact: { ...DEFAULT_SETTINGS.contact, ...own.contact, texts: { ...own.contact?.texts } },
    returns: { ...DEFAULT_SETTINGS.returns, ...withConditions(own.returns) },
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

/** Finds a type of item without regard to case, spaces, hyphens and underscores (docs/interface.md#item-values). */
export function findItemType(settings: Settings, written: string): ItemType | undefined {
  let types = typesByName.get(settings.itemTypes);
  if (types === undefined) {
    types = new Map(settings.itemTypes.toReversed().map((type) => [plainName(type.name), type]));
    typesByName.set(settings.itemTypes, types);
  }
  return types.get(plainName(written));
}

/** Item types by their normalized names. If two types differ only in spelling, the first type counts. */
const typesByName = new WeakMap<readonly ItemType[], Map<string, ItemType>>();

/** Normalizes a word for comparisons. */
export function plainName(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

/** Finds the word of a list that equals `written`, without regard to case, spaces, hyphens and underscores. */
export function findSpelling(words: readonly string[], written: string): string | undefined {
  let known = spellings.get(words);
  if (known === undefined) {
    known = new Map(words.toReversed().map((word) => [plainName(word), word]));
    spellings.set(words, known);
  }
  return known.get(plainName(written));
}

const spellings = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** Whether declined units of orders of a type become a re-source request. */
export function asksForNode({ resourceTypes }: Pick<Settings, 'resourceTypes'>, type: FulfillmentType): boolean {
  return type === 'SHIP_TO_HOME' || resourceTypes.some((one) => one === type);
}

/** Finds a cancel reason by its code, exactly as written. */
export function findReason(settings: Settings, code: string): ReasonCode | undefined {
  return settings.cancelReasons.find((reason) => reason.code === code);
}

/** The effect on stock of a declined unit, by its reason; an unknown reason has no effect. */
export function stockEffectOf(settings: Pick<Settings, 'cancelReasons'>, code: string): StockEffect {
  return settings.cancelReasons.find((reason) => reason.code === code)?.stockEffect ?? 'NONE';
}
