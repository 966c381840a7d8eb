/**
 * Limits open connections, and closes them when the service stops. One network (`networkOf`) can have at most half of
 * the connections, so that one caller cannot use all of them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { addressList } from './address-list.ts';
import { networkOf } from './rate-limit.ts';

/**
 * Closes connections beyond the limits. Trusted proxies and this machine can use all connections, because they forward
 * requests of many callers. Returns a function that closes every open connection, also during a request.
 */
export function boundConnections(
  server: Server,
  { maxConnections, trustProxy }: Pick<Config, 'maxConnections' | 'trustProxy'>,
): () => void {
  server.maxConnections = maxConnections;
  const isProxy = addressList(['loopback', ...trustProxy]);
  const open = new Map<string, number>();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count > maxConnections / 2) socket.destroy();
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
