/** The examples of contract/examples, sent to a town that a test has opened. */
import { type Answer, type Call, OPERATOR_KEY } from './backroom.ts';
import { type Example, expectedBody, type Named, sentOf } from './example-files.ts';
import type { OpenTown } from './town.ts';

export { type Example, exampleIds, examplesOf, NEEDS_HARDWARE } from './example-files.ts';

/** Sends the request of an example. */
export function runExample(town: OpenTown, example: Example): Promise<Answer> {
  return town.call(requestOf(town, example));
}

/** The request of an example as it is sent, credentials included; `headers` come on top. */
export function requestOf(town: OpenTown, example: Example): Call {
  return sentOf(named(town), OPERATOR_KEY, example);
}

/** The reply of an example with `"<any>"` taken over from what came, so that the two can be compared as wholes. */
export function expectedOf(town: OpenTown, example: Example, came: unknown): unknown {
  return expectedBody(named(town), example, came);
}

function named({ orders, tickets, requests, client, answered }: OpenTown): Named {
  return { orders, tickets, requests, credential: client.secrets, ...answered };
}
