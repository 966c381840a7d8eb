/** Requests of the sign-in: `/session` and the paths below it. */
import { ApiError, SERVICE } from './api.ts';
import { isOfProxy } from './of-proxy.ts';
import { language } from './texts/index.ts';

/** Sends a request to a path below `/session`. @throws ApiError */
export async function sendSession<T = undefined>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path = '',
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${SERVICE}/session${path}`, {
    method,
    headers: {
      accept: 'application/json',
      'accept-language': language.peek(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (response === undefined || isOfProxy(response)) throw new ApiError(0, {});
  const text = await response.text();
  const shown = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  if (!response.ok) throw new ApiError(response.status, shown, response);
  return shown as T;
}
