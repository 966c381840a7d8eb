/**
 * The table of operations, grouped by task. The router, the OpenAPI document, the typed client and the coverage tests
 * use it. Each slice lists its operations in its `index.ts`.
 */

import { accessSlice } from '../access/index.ts';
import { alertsSlice } from '../alerts/index.ts';
import { checkinSlice } from '../checkin/index.ts';
import { contactSlice } from '../contact/index.ts';
import { eventsSlice } from '../events/index.ts';
import { handoverSlice } from '../handover/index.ts';
import { itemsSlice } from '../items/index.ts';
import { ordersSlice } from '../orders/index.ts';
import { packingSlice } from '../packing/index.ts';
import { peopleSlice } from '../people/index.ts';
import { pickingSlice } from '../picking/index.ts';
import { isOperation, type Job, type Operation } from '../platform/http/operation.ts';
import type { TSchema } from '../platform/schema.ts';
import { provisioningSlice } from '../provisioning/index.ts';
import { receivingSlice } from '../receiving/index.ts';
import { returnsSlice } from '../returns/index.ts';
import { extrasSchemas } from '../shared/extras.ts';
import { JOBS, type Slice } from '../shared/slice.ts';
import { sourcingSlice } from '../sourcing/index.ts';
import { stockSlice } from '../stock/index.ts';
import { webhooksSlice } from '../webhooks/index.ts';
import { workSlice } from '../work/index.ts';
import { ediSlice } from './edi/index.ts';
import { sandboxSlice } from './sandbox/index.ts';
import { trainingSlice } from './training/index.ts';

/**
 * The slices. If several of them have operations for the same task, the document lists the operations in this order.
 */
const slices: readonly Slice[] = [
  itemsSlice,
  provisioningSlice,
  receivingSlice,
  ediSlice,
  ordersSlice,
  contactSlice,
  pickingSlice,
  packingSlice,
  handoverSlice,
  checkinSlice,
  returnsSlice,
  alertsSlice,
  sandboxSlice,
  sourcingSlice,
  accessSlice,
  workSlice,
  peopleSlice,
  stockSlice,
  eventsSlice,
  webhooksSlice,
  trainingSlice,
];

/** Named schemas, in the order of the document. */
export const schemas: readonly TSchema[] = [...slices.flatMap((slice) => slice.schemas), ...extrasSchemas];

/** The tasks of the document, each followed by its operations. */
export const contents: readonly (Job | Operation)[] = (Object.keys(JOBS) as (keyof typeof JOBS)[]).flatMap((name) => [
  { name, description: JOBS[name] },
  ...slices.flatMap(({ operations }) => operations[name] ?? []),
]);

export const operations: readonly Operation[] = contents.filter(isOperation);

/** Returns the operation with this id. @throws Error if there is no such operation. */
export function operationNamed(id: string): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  return operation;
}
