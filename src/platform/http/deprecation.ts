/** Headers that tell callers how long a deprecated form still works (RFC 9745, RFC 8594; docs/api.md#old-names). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../time.ts';

/** Days of a deprecation, as `2026-11-26`: its beginning, and the day from which a release may drop the old form. */
export interface Deprecation {
  from: string;
  sunset: string;
}

/** Deprecation of the old names of query parameters. */
const OLD_NAMES: Deprecation = { from: '2026-11-26', sunset: '2027-11-26' };

/** The headers of a deprecation; `path` is the path of PUBLIC_URL. */
function deprecationHeaders({ from, sunset }: Deprecation, path: string): Record<string, string> {
  return {
    deprecation: `@${Date.parse(from) / SECOND_MS}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${path}/guide/docs/api.md#old-names>; rel="deprecation"`,
  };
}

/** Adds the headers if the operation is deprecated or the request has an old name. */
export function tellDeprecated({ operation, hasOldNames, sitePath }: FastifyRequest, reply: FastifyReply): void {
  const deprecation = operation?.deprecated ?? (hasOldNames ? OLD_NAMES : undefined);
  if (deprecation !== undefined) reply.headers(deprecationHeaders(deprecation, sitePath));
}
