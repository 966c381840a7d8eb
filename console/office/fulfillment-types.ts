import type { components } from '../../contract/client.d.ts';
import { allOf } from '../ui/all-of.ts';

export type FulfillmentType = NonNullable<components['schemas']['Node']['fulfillmentTypes']>[number];

export const FULFILLMENT_TYPES = allOf<FulfillmentType>()([
  'STORE_PICK_UP',
  'SHIP_TO_HOME',
  'SHIP_TO_STORE',
  'ASSOCIATE_DELIVERY',
]);
