/**
 * Compresses large responses to callers with a key or an access token. Responses to sessions are never compressed: a
 * page of another site could make a browser send requests, and the length of a compressed response reveals parts of its
 * content.
 */
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from './languages.ts';

const zip = promisify(gzip);

/** Minimum length of a text to compress. Shorter texts fit into a few packets. */
const LARGE = 16_384;

/** Whether the caller accepts gzip. */
export function acceptsGzip(accepted = ''): boolean {
  return accepted.split(',').some((one) => /^\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(one));
}

/**
 * Whether a large response to this caller is compressed. Sets Vary for every caller with a key or token, and
 * Content-Encoding if the response is compressed.
 */
export function accepts({ headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>, reply: FastifyReply): boolean {
  const kind = caller?.actor.kind;
  if (kind !== 'client' && kind !== 'operator') return false;
  varyBy(reply, 'accept-encoding');
  if (!acceptsGzip(headers['accept-encoding'])) return false;
  reply.header('content-encoding', 'gzip');
  return true;
}

/**
 * Returns the text, compressed if it is large and the caller accepts gzip. `reply` then gets the headers of a
 * compressed response.
 */
export async function compressed(
  request: Pick<FastifyRequest, 'headers' | 'caller'>,
  reply: FastifyReply,
  text: string | Buffer,
): Promise<string | Buffer> {
  if (text.length < LARGE || !accepts(request, reply)) return text;
  return zip(text, { level: constants.Z_BEST_SPEED });
}
