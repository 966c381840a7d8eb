/**
 * The thread of `watch.ts`: asks `/livez` over one connection of its own, again and again, and notes the longest wait. It has
 * its own event loop, so what keeps the campaign's busy does not count.
 */
import { connect, type Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import type { WatchPlan } from './watch.ts';

const { port, seen } = workerData as WatchPlan;
const [LONGEST, SINCE, COUNT] = [0, 1, 2];
const PAUSE_MS = 2;
const QUESTION = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const figures = new Float64Array(seen);

function open(): void {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.on('connect', () => ask(socket));
  socket.on('data', () => {
    const wait = now() - figures[SINCE]!;
    figures[SINCE] = 0;
    figures[LONGEST] = Math.max(figures[LONGEST]!, wait);
    figures[COUNT]! += 1;
    setTimeout(() => ask(socket), PAUSE_MS);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(open, PAUSE_MS));
}

function ask(socket: Socket): void {
  if (socket.destroyed) return;
  figures[SINCE] = now();
  socket.write(QUESTION);
}

/** The same in every thread. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

open();
