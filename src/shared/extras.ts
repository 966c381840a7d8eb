/** Fields that the service adds to the items of responses: the components of a bundle, and the handling of an item. */

import { exact, flag, ignored, integer, list, named, object, oneOf, ref, Type, text } from '../platform/schema.ts';
import { COMPONENTS_MAX } from './limits.ts';
import type { Handling, ShownComponent } from './snapshot.ts';

const { Optional } = Type;

/** Instructions for packing and shipping an item; fields without a value are left out. */
const ItemHandling = named(
  'ItemHandling',
  object({
    shipAlone: Optional(oneOf(['Yes'], { description: 'The item needs a package of its own' })),
    shipTogether: Optional(
      flag({
        description:
          'The item should share a package with the other `shipTogether` items of the order. The service does not enforce this',
      }),
    ),
    hazardousMaterialCode: Optional(
      text(1, 4, { description: 'The client’s code of the hazard. Absent if the item is not hazardous' }),
    ),
    freightClass: Optional(
      text(1, 20, {
        description:
          'Freight class, by which the order management system chooses the carrier, the service and the region',
      }),
    ),
  }),
);

/** Units of one item of a bundle. */
const BundleComponent = named(
  'BundleComponent',
  object({
    itemId: text(1, 40, { description: 'The item to pick' }),
    itemDesc: Type.String({
      description: 'Description of the item, or its id if the item master does not have the item',
    }),
    quantity: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'Units of the item in all units of the bundle together',
    }),
    color: Type.String(),
    colorCode: Type.String(),
    size: Type.String(),
    sizeCode: Type.String(),
    style: Type.String(),
    upcs: Type.Array(
      object({
        type: Type.String({ description: 'Type of the code. You can ignore this type' }),
        value: Type.String({ description: 'The scanned code' }),
      }),
    ),
    pickLocation: Optional(
      text(1, 40, {
        description: 'Location of the item according to the node item feed. Present only on pick tickets',
      }),
    ),
    pricePercentage: Optional(
      exact({ integer: 120, fraction: 4, min: 0 }, { description: 'Share of the item in the price of the bundle' }),
    ),
    handling: Optional(ref<Handling>('ItemHandling')),
  }),
);

/** Fields of an item in a response. */
export const itemExtras = {
  components: Optional(
    list(
      ref<ShownComponent>('BundleComponent'),
      { min: 1, max: COMPONENTS_MAX },
      { description: 'Items of the bundle, including items of nested bundles. Absent if the item is no bundle' },
    ),
  ),
  handling: Optional(ref<Handling>('ItemHandling')),
};

/** The fields of `itemExtras` in a request: callers can copy them from a response, and the service ignores them. */
export const ignoredExtras = { components: ignored(), handling: ignored() };

/** Codes of hazardous items in a package. */
export const hazards = Optional(
  list(
    text(1, 4),
    { min: 1, max: 10_000 },
    {
      description:
        'Different values of `hazardousMaterialCode` of the items in the package, including components of bundles',
    },
  ),
);

/** Named schemas, for the OpenAPI document. */
export const extrasSchemas = [ItemHandling, BundleComponent];
