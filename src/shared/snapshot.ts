/** The item data that order lines keep, so that a later change of an item does not change an order. */
import { type Numeric, numeric } from '../platform/decimal.ts';
import type { Measure } from './shapes.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Snapshot: Snapshot;
  }
}

/** The item data of a line. Lines that are older than a field do not have it. */
export interface Snapshot {
  itemDetails: ItemDetails;
  /** Shipping dimensions of one unit, if the item had them. */
  weight?: Measure;
  volume?: { unit: string; width: Numeric; length: Numeric; height: Numeric };
  /** Address of the item's main picture. */
  imageUrl?: string;
  handling?: Handling;
  sourcing?: Sourcing;
  /** The items of one unit of a bundle. */
  components?: Component[];
  /** Ids of the bundles inside a bundle. */
  bundles?: string[];
  /** Street dates to check, of the item and of its components. */
  streetDates?: StreetDate[];
}

/** The item data on a pick ticket; a missing value is "". */
export interface ItemDetails {
  itemId: string;
  itemDesc: string;
  color: string;
  colorCode: string;
  size: string;
  sizeCode: string;
  style: string;
  upcs: { type: string; value: string }[];
}

/** Fields of an item for picking, packing and shipping; fields without a value are left out. */
export interface Handling {
  shipAlone?: 'Yes';
  shipTogether?: true;
  hazardousMaterialCode?: string;
  freightClass?: string;
}

/** Fields of an item for the choice of a node; fields without a value are left out. */
export interface Sourcing {
  fulfillmentOverride?: string;
  sourcingOverride?: string;
  sourcingPreference?: string;
  dropShipped?: true;
  dropShipSupplier?: { name: string; number: string; partNumber: string };
  minShipmentProcessingDays?: number;
  maxShipmentProcessingDays?: number;
}

/** The street date of an item: the date from which it can be allocated, in the same format as in the item. */
export interface StreetDate {
  itemId: string;
  date: string;
}

/** Units of an item in one unit of a bundle. */
export interface Component {
  itemDetails: ItemDetails;
  quantity: number;
  /** Share in the price of the bundle, as decimal text. Present only if all enclosing bundles have percentages. */
  pricePercentage?: string;
  handling?: Handling;
  /** Pick location of the item. Present only on tickets. */
  pickLocation?: string;
}

/** A component in a response. */
export type ShownComponent = ItemDetails & {
  quantity: number;
  pickLocation?: string;
  pricePercentage?: Numeric;
  handling?: Handling;
};

/** The response fields `components` and `handling` for `units` units; a field without a value is absent. */
export function extrasOf(
  { components, handling }: Pick<Snapshot, 'components' | 'handling'>,
  units: number,
): { components?: ShownComponent[]; handling?: Handling } {
  return {
    ...(components && { components: components.map((one) => shown(one, units)) }),
    ...(handling && { handling }),
  };
}

function shown({ itemDetails, quantity, pickLocation, pricePercentage, handling }: Component, units: number) {
  return {
    ...itemDetails,
    quantity: quantity * units,
    ...(pickLocation !== undefined && { pickLocation }),
    ...(pricePercentage !== undefined && { pricePercentage: numeric(pricePercentage) }),
    ...(handling && { handling }),
  };
}
