import { parseJson, stringifyJson } from '../src/platform/message/json.ts';
import type { Server } from '../src/service/server.ts';
import type { Answer, Call } from './call.ts';

/** Limit of JSON tokens. Tests read whole documents, which exceed the limit for messages. */
const MAX_TOKENS = 1_000_000;

/** Sends a request to a service in this process, without a socket. */
export async function inject<Body = unknown>(server: Server, call: Call): Promise<Answer<Body>> {
  const payload = call.raw ?? (call.body === undefined ? undefined : stringifyJson(call.body));
  const response = await server.app.inject({
    method: call.method,
    url: call.path,
    headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...call.headers },
    ...(payload !== undefined && { payload }),
  });
  const headers = response.headers as Answer['headers'];
  const isJson = /[/+]json/.test(headers['content-type'] ?? '') && response.payload !== '';
  const body = (isJson ? parseJson(response.payload, { maxTokens: MAX_TOKENS }) : undefined) as Body;
  return { status: response.statusCode, body, text: response.payload, headers };
}
