/** The queues of a client by their names, and the error of a name that is none of them. */

import type { FieldErrors } from '../platform/message/field-errors.ts';
import { nearest } from '../platform/message/nearest.ts';
import type { Settings } from '../shared/client-settings.ts';
import { QUEUE_IDS } from './states.ts';

/** The ids of the client's queues: its own names where it has some. */
function queueNames({ queueIds }: Settings): string[] {
  return QUEUE_IDS.map((queue) => queueIds[queue] ?? queue);
}

/**
 * Adds the error of a queue that the client does not have, which would look like an empty one for ever. A name that the client
 * has changed is good where records are under it, such as closed tickets: `isInUse` tells.
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
  const hint = near === undefined ? '' : `; did you mean '${near}'?`;
  const field = pointer.slice(1);
  const message = `'${field}' must be one of ${names.join(', ')}${hint} (got ${JSON.stringify(queueId)})`;
  errors.add(pointer, 'enum', message, names);
}
