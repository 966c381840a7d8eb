/** The users of the client. */
import type { components } from '../../contract/client.d.ts';
import { ownClient } from '../session.ts';
import { allOf } from '../ui/all-of.ts';

/** A user in the list of the service. */
export type Person = components['schemas']['User'];

export const ROLES = allOf<Person['role']>()(['associate', 'lead', 'manager', 'clerk', 'support', 'integrator']);

/** Returns the path of the client's users, or of one user. */
export function usersPath(userId?: string, rest = ''): string {
  const base = `/operator/v1/clients/${encodeURIComponent(ownClient())}/users`;
  return userId === undefined ? base : `${base}/${encodeURIComponent(userId)}${rest}`;
}
