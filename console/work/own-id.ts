import { session } from '../session.ts';

/** Returns the id of the signed-in user. Requests send it as `userId` or `modifyAssociateId`. */
export function ownId(): string {
  return session.peek()!.user.userId;
}
