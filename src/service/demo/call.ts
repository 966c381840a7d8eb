/** Types of the requests with which the small town is loaded. */

/** The secrets of a credential, from the response to its creation. */
export interface Secrets {
  credentialId: string;
  apiKey: string;
  username: string;
  password: string;
}

/** Sends one request as the operator or with a client's credential, and returns the response. */
export type TownCall = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  options: { as: 'operator' | Secrets; body?: unknown; x12?: string },
) => Promise<{ status: number; body: unknown }>;
