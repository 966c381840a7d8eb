/**
 * `Prefer: handling=lenient` (docs/interface.md#unknown-fields): unknown fields are ignored and listed, not rejected.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether the caller prefers lenient handling. */
export function isLenient(request: FastifyRequest): boolean {
  const prefer = request.headers['prefer'];
  return typeof prefer === 'string' && /(^|[,;\s])handling\s*=\s*"?lenient"?($|[,;\s])/i.test(prefer);
}

/** Remembers ignored fields for the headers of the response. */
export function noteIgnored(request: FastifyRequest, pointers: readonly string[]): void {
  if (pointers.length > 0) request.ignoredMembers = [...(request.ignoredMembers ?? []), ...pointers];
}

/** Lists up to 20 ignored fields in the headers of the response. */
export function tellIgnored(request: FastifyRequest, reply: FastifyReply): void {
  if (request.ignoredMembers === undefined) return;
  reply.header('ignored-members', request.ignoredMembers.slice(0, 20).map(encodeURI).join(', ').slice(0, 2000));
  reply.header('preference-applied', 'handling=lenient');
}
