/**
 * The route table, grouped by who calls. The router, the OpenAPI document, the typed client and the coverage tests are made
 * from it.
 */
import type { Operation } from './http/operation.ts';
import type { TSchema } from './schema.ts';

/** Named schemas, in the order of the document. */
export const schemas: readonly TSchema[] = [];

export const operations: readonly Operation[] = [
  // Integration engineers of the retailer: item master
  // Integration engineers of the retailer: inbound shipments
  // Integration engineers of the retailer: order intake
  // Store associates: fulfillment
  // The operator: provisioning and upkeep
];
