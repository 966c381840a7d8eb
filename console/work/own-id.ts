import { session } from '../session.ts';

/** The user id under which things are recorded. */
export function ownId(): string {
  return session.peek()!.user.userId;
}
