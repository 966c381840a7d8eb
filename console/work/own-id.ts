import { session } from '../session.ts';

/** Returns the user id for records. */
export function ownId(): string {
  return session.peek()!.user.userId;
}
