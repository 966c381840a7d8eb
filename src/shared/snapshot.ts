/** What the lines of an order keep of their items, so that no later change of an item changes an order. */
import { type Numeric, numeric } from '../platform/decimal.ts';
import type { Measure } from './shapes.ts';

/** What a line keeps of its item. A line that came in before a field was kept does not have it. */
export interface Snapshot {
  itemDetails: ItemDetails;
  /** Shipping dimensions of one unit, where the item had them. */
  weight?: Measure;
  volume?: { unit: string; width: Numeric; length: Numeric; height: Numeric };
  /** Address of the item's main picture. */
  imageUrl?: string;
  handling?: Handling;
  sourcing?: Sourcing;
  /** Of a bundle: what one unit of it is made of. */
  components?: Component[];
  /** Of the item and of its components: those that are asked. */
  streetDates?: StreetDate[];
}

/** The item as a pick ticket shows it; a field the item lacked is "". */
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

/** Fields of an item for whoever picks, packs or ships it; those that say nothing are left out. */
export interface Handling {
  shipAlone?: 'Yes';
  shipTogether?: true;
  hazardousMaterialCode?: string;
  freightClass?: string;
}

/** Fields of an item for whoever decides which node serves it; those that say nothing are left out. */
export interface Sourcing {
  fulfillmentOverride?: string;
  sourcingOverride?: string;
  sourcingPreference?: string;
  dropShipped?: true;
  dropShipSupplier?: { name: string; number: string; partNumber: string };
  minShipmentProcessingDays?: number;
  maxShipmentProcessingDays?: number;
}

/** The date from which an item may be allocated, as the item has it. */
export interface StreetDate {
  itemId: string;
  date: string;
}

/** Units of an item in one unit of a bundle. */
export interface Component {
  itemDetails: ItemDetails;
  quantity: number;
  /** Share in the price of the bundle, as decimal text; only where every bundle on the way down says it. */
  pricePercentage?: string;
  handling?: Handling;
  /** Where it lies; on tickets only. */
  pickLocation?: string;
}

/** A component as replies show it. */
export type ShownComponent = ItemDetails & {
  quantity: number;
  pickLocation?: string;
  pricePercentage?: Numeric;
  handling?: Handling;
};

/** The fields `components` and `handling` of so many units of a line, as replies show them; absent where there are none. */
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
