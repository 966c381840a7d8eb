import type { FastifyRequest } from 'fastify';

/** Whether the request comes from a browser on this machine, for a host name of this machine. */
export function isThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127\..*)$/.test(socket.remoteAddress ?? '');
  return isLoopback && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '');
}
