/** Groups the rejected commands about which the user decides once. */
import { keyOf, ownerKey } from './commands.ts';
import type { Conflict } from './database.ts';

/**
 * Returns whether the service rejected a receipt of a PO because ASNs with goods of this PO are on their way. The user
 * decides once for all items of the PO.
 */
export function isOfAsns({ body }: Conflict): boolean {
  return body?.['asns'] !== undefined;
}

/** Returns whether one decision settles both conflicts. */
export function isSettledWith(one: Conflict, other: Conflict): boolean {
  const nameOf = ({ owner, subject }: Conflict) => ownerKey(owner) + keyOf(subject);
  return one.lane === other.lane || (isOfAsns(one) && isOfAsns(other) && nameOf(one) === nameOf(other));
}

/** Returns one conflict for each decision of the user: the first of the conflicts that are settled together. */
export function decisionsOf(conflicts: readonly Conflict[]): readonly Conflict[] {
  return conflicts.filter((one) => conflicts.find((other) => isSettledWith(one, other)) === one);
}
