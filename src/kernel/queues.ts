/** Checks queue ids against the queues of a client. */

import type { FieldErrors } from '../platform/message/field-errors.ts';
import { nearest } from '../platform/message/nearest.ts';
import type { Settings } from '../shared/client-settings.ts';
import { say } from './sentences.ts';
import { QUEUE_IDS } from './states.ts';

/** Returns the ids of the client's queues. A queue that the client renamed has the client's id. */
function queueNames({ queueIds }: Settings): string[] {
  return QUEUE_IDS.map((queue) => queueIds[queue] ?? queue);
}

/**
 * Adds an error for an unknown queue. Without the error, this queue would look like an empty queue. An old name of a
 * renamed queue is valid while records such as closed tickets have it: see `isInUse`.
 */
export async function checkQueue(
  queueId: string | undefined,
  pointer: string,
  settings: Settings,
  isInUse: (queueId: string) => Promise<unknown>,
  errors: FieldErrors,
): Promise<void> {
  if (queueId === undefined) return;
  const names = queueNames(settings);
  if (names.includes(queueId) || (await isInUse(queueId)) !== undefined) return;
  const near = nearest(queueId, names);
  const hint = near === undefined ? '' : say("; did you mean '{near}'?", { near });
  const field = pointer.slice(1);
  const message = say("'{field}' must be one of {names}{hint} (got {queueId})", {
    field,
    names: names.join(', '),
    hint,
    queueId: JSON.stringify(queueId),
  });
  errors.add(pointer, 'enum', message, names);
}
