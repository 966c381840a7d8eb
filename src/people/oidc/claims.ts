/** What the claims of an ID token say of somebody: the role that they map to, and a name. */
import { stepsOf } from '../../platform/message/pointer.ts';
import type { IdentityProviderRow } from '../../platform/storage/tables.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The value at a JSON pointer; undefined where there is none. */
function valueAt(claims: Claims, pointer: string): unknown {
  let at: unknown = claims;
  for (const step of stepsOf(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** The role of the first entry of the map that the claim has; undefined where none matches. */
export function mappedRole(
  { role_claim: pointer, roles }: Pick<IdentityProviderRow, 'role_claim' | 'roles'>,
  claims: Claims,
): string | undefined {
  if (pointer === null) return undefined;
  const value = valueAt(claims, pointer);
  const has = new Set(Array.isArray(value) ? value : [value]);
  return Object.entries(JSON.parse(roles) as Record<string, string>).find(([name]) => has.has(name))?.[1];
}

const NAME_MAX = 120;

/** The name that is shown of a new user: what the provider calls them, else their user id. */
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
