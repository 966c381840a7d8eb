/** The role and the name in the claims of an ID token. */
import { readJson } from '../../platform/json-column.ts';
import { stepsOf } from '../../platform/message/pointer.ts';
import type { IdentityProviderRow } from '../../platform/storage/tables.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Returns the value at a JSON pointer; undefined if the claims have no such value. */
function valueAt(claims: Claims, pointer: string): unknown {
  let at: unknown = claims;
  for (const step of stepsOf(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/**
 * Returns the role of the first entry of `roles` whose name is in the role claim; undefined if the claim has none of
 * the names.
 */
export function mappedRole(
  { role_claim: pointer, roles }: Pick<IdentityProviderRow, 'role_claim' | 'roles'>,
  claims: Claims,
): string | undefined {
  if (pointer === null) return undefined;
  const value = valueAt(claims, pointer);
  const has = new Set(Array.isArray(value) ? value : [value]);
  return Object.entries(readJson(roles)).find(([name]) => has.has(name))?.[1];
}

const NAME_MAX = 120;

/** Returns the display name of a new user: a name from the claims, or the user id if the claims have no name. */
export function nameOf(claims: Claims, userId: string): string {
  for (const claim of ['name', 'preferred_username', 'email']) {
    const value = claims[claim];
    if (typeof value !== 'string' || !value.isWellFormed()) continue;
    const clean = Array.from(value.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim())
      .slice(0, NAME_MAX)
      .join('')
      .trim();
    if (clean !== '') return clean;
  }
  return userId;
}
