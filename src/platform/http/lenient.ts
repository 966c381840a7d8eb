/** `Prefer: handling=lenient` (docs/interface.md#unknown-fields): what nobody knows is left out and told, not refused. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether the caller asks for it. */
export function isLenient(request: FastifyRequest): boolean {
  const prefer = request.headers['prefer'];
  return typeof prefer === 'string' && /(^|[,;\s])handling\s*=\s*"?lenient"?($|[,;\s])/i.test(prefer);
}

/** Keeps in mind what was left out; the answer tells it. */
export function noteIgnored(request: FastifyRequest, pointers: readonly string[]): void {
  if (pointers.length > 0) request.ignoredMembers = [...(request.ignoredMembers ?? []), ...pointers];
}

/** Tells in the answer's headers what was left out. */
export function tellIgnored(request: FastifyRequest, reply: FastifyReply): void {
  if (request.ignoredMembers === undefined) return;
  reply.header('ignored-members', request.ignoredMembers.slice(0, 20).map(encodeURI).join(', ').slice(0, 2000));
  reply.header('preference-applied', 'handling=lenient');
}
