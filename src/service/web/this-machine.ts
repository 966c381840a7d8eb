import type { FastifyRequest } from 'fastify';

/** Whether the request is from a browser on this machine and names a host of this machine. */
export function isThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127\..*)$/.test(socket.remoteAddress ?? '');
  return isLoopback && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '');
}
