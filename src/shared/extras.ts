/** What replies show of an item beside the interface's own fields: what a bundle is made of, and how an item is handled. */

import { exact, flag, ignored, integer, list, named, object, oneOf, ref, Type, text } from '../platform/schema.ts';
import { COMPONENTS_MAX } from './limits.ts';
import type { Handling, ShownComponent } from './snapshot.ts';

const { Optional } = Type;

/** How an item is to be packed and shipped; a field that the item does not have, or that says nothing, is left out. */
const ItemHandling = named(
  'ItemHandling',
  object({
    shipAlone: Optional(oneOf(['Yes'], { description: 'It shares no package with another item' })),
    shipTogether: Optional(
      flag({ description: 'It belongs into one package with the other such items of its order; nothing is refused' }),
    ),
    hazardousMaterialCode: Optional(text(1, 4, { description: 'The client’s code; any code means hazardous' })),
    freightClass: Optional(text(1, 20, { description: 'Governs carrier, service and region' })),
  }),
);

/** Units of an item that a bundle is made of. */
const BundleComponent = named(
  'BundleComponent',
  object({
    itemId: text(1, 40, { description: 'The item to fetch' }),
    itemDesc: Type.String({ description: 'Its description; its id where the item master does not have it' }),
    quantity: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Its units in all units of the bundle here' }),
    color: Type.String(),
    colorCode: Type.String(),
    size: Type.String(),
    sizeCode: Type.String(),
    style: Type.String(),
    upcs: Type.Array(
      object({
        type: Type.String({ description: 'May be ignored' }),
        value: Type.String({ description: 'The scanned code' }),
      }),
    ),
    pickLocation: Optional(text(1, 40, { description: 'Where it lies; on pick tickets, from the node item feed' })),
    pricePercentage: Optional(
      exact({ integer: 120, fraction: 4, min: 0 }, { description: 'Its share in the price of the bundle' }),
    ),
    handling: Optional(ref<Handling>('ItemHandling')),
  }),
);

/** Fields of an item of a reply. */
export const itemExtras = {
  components: Optional(
    list(
      ref<ShownComponent>('BundleComponent'),
      { min: 1, max: COMPONENTS_MAX },
      { description: 'What a bundle is made of, through bundles in bundles; only of a bundle' },
    ),
  ),
  handling: Optional(ref<Handling>('ItemHandling')),
};

/** The same, where what a reply showed is sent back. */
export const ignoredExtras = { components: ignored(), handling: ignored() };

/** Codes of hazardous items in a package. */
export const hazards = Optional(
  list(
    text(1, 4),
    { min: 1, max: 10_000 },
    { description: 'hazardousMaterialCode of the items in it, components of bundles included; each once' },
  ),
);

/** Named schemas, for the document. */
export const extrasSchemas = [ItemHandling, BundleComponent];
