/** People of the client, as the service lists them. */
import { ownClient } from '../session.ts';

/** A person as the service lists them. */
export interface Person {
  userId: string;
  name: string;
  role: string;
  nodeIds: string[];
  state?: 'ACTIVE' | 'DISABLED';
  language?: string;
}

/** The path of the people of the client, or of one. */
export function usersPath(userId?: string, rest = ''): string {
  const base = `/operator/v1/clients/${encodeURIComponent(ownClient())}/users`;
  return userId === undefined ? base : `${base}/${encodeURIComponent(userId)}${rest}`;
}
