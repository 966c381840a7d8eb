/** Sends the examples of contract/examples to a town that a test has opened. */

import { type Example, expectedBody, type Named, sentOf } from '../../town/example-files.ts';
import { type Answer, type Call, OPERATOR_KEY } from './backroom.ts';
import type { OpenTown } from './town.ts';

export { type Example, exampleIds, examplesOf, needsHardware } from '../../town/example-files.ts';

/** Sends the request of an example. */
export function runExample(town: OpenTown, example: Example): Promise<Answer> {
  return town.call(requestOf(town, example));
}

/** Returns the request of an example as sent, with credentials and headers. */
export function requestOf(town: OpenTown, example: Example): Call {
  return sentOf(named(town), OPERATOR_KEY, example);
}

/**
 * Returns the expected response of an example. Each `"<any>"` takes its value from the response `came`, so that a test
 * can compare the two.
 */
export function expectedOf(town: OpenTown, example: Example, came: unknown): unknown {
  return expectedBody(named(town), example, came);
}

function named({ orders, tickets, requests, edi, returns, refunds, client, answered }: OpenTown): Named {
  return { orders, tickets, requests, edi, returns, refunds, credential: client.secrets, ...answered };
}
