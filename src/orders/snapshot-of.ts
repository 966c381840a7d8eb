/** Makes the snapshot of an item that an order line stores (shared/snapshot.ts). */

import { mainImageOf } from '../items/find.ts';
import type { Item } from '../items/schema.ts';
import { decimalText, type Numeric } from '../platform/decimal.ts';
import { findSpelling, type Settings } from '../shared/client-settings.ts';
import type { Component, Handling, ItemDetails, Snapshot, Sourcing, StreetDate } from '../shared/snapshot.ts';

/** Returns the snapshot of an item. `bundle` adds its components and the street dates of their items. */
export function snapshotOf(
  item: Item,
  settings: Pick<Settings, 'salesClassesBeforeStreetDate'>,
  bundle: { components: Component[]; items: readonly Item[] } | undefined,
): Snapshot {
  const { shippingMassDimensions: mass, shippingPackagingDimensions: packaging } = item;
  const imageUrl = mainImageOf(item);
  const handling = handlingOf(item);
  const sourcing = sourcingOf(item);
  const streetDates = [item, ...(bundle?.items ?? [])].flatMap((one) => streetDatesOf(one, settings));
  const parts = new Set(bundle?.components.map(({ itemDetails }) => itemDetails.itemId));
  const bundles = bundle?.items.map(({ itemId }) => itemId).filter((itemId) => !parts.has(itemId)) ?? [];
  return {
    itemDetails: detailsOf(item),
    ...(mass && { weight: { unit: mass.unit, value: mass.weight } }),
    ...(packaging && { volume: volumeOf(packaging) }),
    ...(imageUrl !== undefined && { imageUrl }),
    ...(handling && { handling }),
    ...(sourcing && { sourcing }),
    ...(bundle && { components: bundle.components }),
    ...(bundles.length > 0 && { bundles }),
    ...(streetDates.length > 0 && { streetDates }),
  };
}

/** Returns the details of an item for tickets and slips. */
export function detailsOf(item: Item): ItemDetails {
  const { color, sizes } = item;
  const size = sizes?.[0];
  return {
    itemId: item.itemId,
    itemDesc: item.description || item.productTitle || item.itemId,
    color: color?.descriptions[0]?.description ?? '',
    colorCode: color?.code ?? '',
    size: size?.description ?? '',
    sizeCode: size?.code ?? '',
    style: item.styleId ?? '',
    upcs: (item.upcs ?? []).map(({ upcType, upc }) => ({ type: upcType, value: upc })),
  };
}

/** Returns the packing and shipping rules of an item, or undefined if it has none. */
export function handlingOf(item: Item): Handling | undefined {
  const { hazardousMaterialCode, freightClass } = item;
  const handling: Handling = {
    ...(item.shipAlone === 'Yes' && { shipAlone: 'Yes' }),
    ...(item.shipTogether === true && { shipTogether: true }),
    ...(hazardousMaterialCode && { hazardousMaterialCode }),
    ...(freightClass && { freightClass }),
  };
  return Object.keys(handling).length === 0 ? undefined : handling;
}

function sourcingOf(item: Item): Sourcing | undefined {
  const { fulfillmentOverride, sourcingOverride, sourcingPreference, dropShipSupplier } = item;
  const { minShipmentProcessingDays: least, maxShipmentProcessingDays: most } = item;
  const sourcing: Sourcing = {
    ...(fulfillmentOverride && { fulfillmentOverride }),
    ...(sourcingOverride && { sourcingOverride }),
    ...(sourcingPreference && { sourcingPreference }),
    ...(item.dropShipped === true && { dropShipped: true }),
    ...(item.dropShipped === true && dropShipSupplier && { dropShipSupplier }),
    // The days are whole numbers, because the item master has already rounded them.
    ...(least !== undefined && { minShipmentProcessingDays: Number(decimalText(least)) }),
    ...(most !== undefined && { maxShipmentProcessingDays: Number(decimalText(most)) }),
  };
  return Object.keys(sourcing).length === 0 ? undefined : sourcing;
}

/** Returns the street date of an item, as a list: empty if it has none, or if its sales class is sold before it. */
export function streetDatesOf(item: Item, settings: Pick<Settings, 'salesClassesBeforeStreetDate'>): StreetDate[] {
  const { itemId, streetDate: date, salesClass } = item;
  const isSold = findSpelling(settings.salesClassesBeforeStreetDate, salesClass) !== undefined;
  return !date || isSold ? [] : [{ itemId, date }];
}

function volumeOf(size: { unit: string; width: Numeric; length: Numeric; height: Numeric }) {
  return { unit: size.unit, width: size.width, length: size.length, height: size.height };
}
