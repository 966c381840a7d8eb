/** Headers of responses that depend on headers of the request, such as its language (docs/api.md#languages). */
import type { FastifyReply } from 'fastify';

/** The headers of a response with sentences. */
export function languageHeaders(languages: string): { 'content-language': string; vary: string } {
  return { 'content-language': languages, vary: 'accept-language' };
}

/** Adds a name to the header Vary of a response. */
export function varyBy(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`);
}
