/** Return settings of a client, and of a store with its own settings (docs/returns.md#settings). */
declare module '../platform/json-column.ts' {
  interface Shapes {
    StoreReturns: Partial<ReturnSettings>;
  }
}

/** Destination of a returned unit. */
export const DISPOSITIONS = ['SHELF', 'DAMAGED', 'HELD', 'GIVEN_BACK'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/** Destination that a user chooses for a held unit. */
export const DISPOSALS = ['SHELF', 'DAMAGED', 'SUPPLIER', 'COUNT', 'CUSTOMER'] as const;
export type Disposal = (typeof DISPOSALS)[number];

export const WINDOW_STARTS = ['HANDED_OVER', 'SHIPPED'] as const;
export const RETURN_NODES = ['ANY', 'SAME'] as const;
export const BLIND_POLICIES = ['HOLD', 'ALLOW', 'REFUSE'] as const;
export const REFUND_SHIPPING = ['WHEN_ALL', 'NEVER', 'ALWAYS'] as const;
export const REFUND_TIMES = ['CLOSED', 'RECEIVED'] as const;

/** A text in one language, or its translations. */
type Words = string | { en?: string; de?: string; es?: string };

interface ReturnReason {
  code: string;
  description: Words;
  /** A line with this reason needs a note. */
  asks?: 'NOTE';
}

interface ReturnCondition {
  code: string;
  description: Words;
  disposition: Disposition;
}

/** Items that cannot be returned: the attribute has one of the values. */
interface Excluded {
  attribute: string;
  values: string[];
}

export interface ReturnSettings {
  /**
   * Length of the return window in days of 24 hours; `windowFrom` defines its start. 0: each return needs an override.
   */
  windowDays: number;
  windowFrom: (typeof WINDOW_STARTS)[number];
  reasons: ReturnReason[];
  conditions: ReturnCondition[];
  /**
   * SAME: only the expected node takes goods back. If the return has no expected node, the nodes of its orders take
   * them.
   */
  nodes: (typeof RETURN_NODES)[number];
  /** Handling of goods without papers. */
  blind: (typeof BLIND_POLICIES)[number];
  excluded: Excluded[];
  /** Sum of refunds above which another user must close the return; undefined: any user can close it. */
  fourEyes?: number;
  refundShipping: (typeof REFUND_SHIPPING)[number];
  fee: number;
  refundOn: (typeof REFUND_TIMES)[number];
  expireDays: number;
  /** The service raises an alert if the result of a refund is missing for this number of hours. */
  refundHours: number;
}

export const DEFAULT_RETURNS: ReturnSettings = {
  windowDays: 30,
  windowFrom: 'HANDED_OVER',
  reasons: [
    {
      code: 'NOT_WANTED',
      description: { en: 'Not wanted any more', de: 'Nicht mehr gewünscht', es: 'Ya no lo quiere' },
    },
    { code: 'DOES_NOT_FIT', description: { en: 'Does not fit', de: 'Passt nicht', es: 'No le queda' } },
    { code: 'DAMAGED', description: { en: 'Damaged', de: 'Beschädigt', es: 'Dañado' } },
    { code: 'WRONG_ITEM', description: { en: 'Wrong item', de: 'Falscher Artikel', es: 'Artículo equivocado' } },
    {
      code: 'NOT_AS_DESCRIBED',
      description: { en: 'Not as described', de: 'Nicht wie beschrieben', es: 'No es como se describe' },
    },
    { code: 'OTHER', description: { en: 'Other reason', de: 'Anderer Grund', es: 'Otro motivo' }, asks: 'NOTE' },
  ],
  conditions: [
    { code: 'GOOD', description: { en: 'As new', de: 'Wie neu', es: 'Como nuevo' }, disposition: 'SHELF' },
    { code: 'OPENED', description: { en: 'Opened', de: 'Geöffnet', es: 'Abierto' }, disposition: 'HELD' },
    { code: 'DAMAGED', description: { en: 'Damaged', de: 'Beschädigt', es: 'Dañado' }, disposition: 'DAMAGED' },
    {
      code: 'WRONG_ITEM',
      description: { en: 'Another item', de: 'Anderer Artikel', es: 'Otro artículo' },
      disposition: 'HELD',
    },
    {
      code: 'NOT_OURS',
      description: { en: 'Not from us', de: 'Nicht von uns', es: 'No es nuestro' },
      disposition: 'GIVEN_BACK',
    },
  ],
  nodes: 'ANY',
  blind: 'HOLD',
  excluded: [],
  refundShipping: 'WHEN_ALL',
  fee: 0,
  refundOn: 'CLOSED',
  expireDays: 60,
  refundHours: 48,
};

/** Returns the settings of a store. The client's settings fill in the settings that the store lacks. */
export function returnsOfStore(client: ReturnSettings, own: Partial<ReturnSettings> | null): ReturnSettings {
  return own === null ? client : { ...client, ...withConditions(own) };
}

/** Leaves out an empty list of conditions, which earlier versions accepted: no unit could be counted at a counter. */
export function withConditions({ conditions, ...own }: Partial<ReturnSettings> = {}): Partial<ReturnSettings> {
  return conditions === undefined || conditions.length === 0 ? own : { ...own, conditions };
}
