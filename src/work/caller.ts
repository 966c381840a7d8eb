/** What a caller of this slice may see, beyond what the edge decides. */

import type { Actor, Group, Permission } from '../platform/ctx.ts';

/** The parts of an actor that say what it may see; a person has permissions, a client's credential has groups. */
type Seeing = Pick<Actor, 'groups'> & {
  permissions?: readonly Permission[];
  session?: { userId: string };
};

/** Whether a caller sees what needs one of these: a person by permission, a credential by group. The operator sees all. */
export function sees(actor: Actor, permissions: readonly Permission[], groups: readonly Group[]): boolean {
  const { permissions: own, groups: ofKey } = actor as Seeing;
  if (own !== undefined) return permissions.some((one) => own.includes(one));
  return ofKey === undefined || groups.some((one) => ofKey.includes(one));
}

/** The user who asks by a session. */
export function ownUser(actor: Actor): string | undefined {
  return (actor as Seeing).session?.userId;
}
