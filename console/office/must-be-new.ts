/** The check of forms that add something under an id that the user chooses. */
import { ApiError, call } from '../api.ts';
import { o } from '../texts/index.ts';

/**
 * Call this before a PUT that adds something: the PUT would overwrite an entry with the same id. `path` is the path of
 * the PUT. @throws Error if the entry exists already, ApiError if the service cannot be asked
 */
export async function mustBeNew(id: string, path: string): Promise<void> {
  try {
    await call('GET', path);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return;
    throw error;
  }
  throw new Error(o().common.taken(id));
}
