/** What a caller of this slice may see, beyond what the edge decides. */

import type { Actor, Group, Permission } from '../platform/ctx.ts';

/** Whether a caller sees what needs one of these: a person by permission, a credential by group. The operator's key sees all. */
export function sees(
  { kind, permissions = [], groups = [] }: Actor,
  needed: readonly Permission[],
  ofGroups: readonly Group[],
): boolean {
  if (kind === 'user') return needed.some((one) => permissions.includes(one));
  return kind !== 'client' || ofGroups.some((one) => groups.includes(one));
}

/** The user who asks by a session. */
export function ownUser({ session }: Actor): string | undefined {
  return session?.userId;
}
