/** Access of callers to parts of a response. The access to the operation itself was checked before. */

import type { Actor, Group, Permission } from '../platform/ctx.ts';

/**
 * Whether a user has one of the permissions, or a credential has one of the groups. The operator's key has all groups.
 */
export function sees(
  { kind, permissions = [], groups = [] }: Actor,
  needed: readonly Permission[],
  ofGroups: readonly Group[],
): boolean {
  if (kind === 'user') return needed.some((one) => permissions.includes(one));
  return kind !== 'client' || ofGroups.some((one) => groups.includes(one));
}

/** Returns the signed-in user of a session, or undefined. */
export function ownUser({ session }: Actor): string | undefined {
  return session?.userId;
}
