/**
 * The thread of `watch.ts`. It requests `/livez` repeatedly over a separate connection and records the longest wait. It
 * has its own event loop, so the work of the campaign does not affect the times.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

export interface WatchPlan {
  port: number;
  /** Id of the service process. */
  pid: number;
  /**
   * Three doubles: the longest wait, the longest wait without the time of other programs, and the number of responses.
   */
  seen: SharedArrayBuffer;
}

const { port, pid, seen } = workerData as WatchPlan;
const [LONGEST, OWN, COUNT] = [0, 1, 2];
const PAUSE_MS = 2;
const QUESTION = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

const figures = new Float64Array(seen);
let asked = 0;
let lentBefore = 0;

function open(): void {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.on('connect', () => ask(socket));
  socket.on('data', () => {
    const wait = performance.now() - asked;
    const own = Math.max(0, wait - (lent() - lentBefore));
    figures[LONGEST] = Math.max(figures[LONGEST]!, wait);
    figures[OWN] = Math.max(figures[OWN]!, own);
    figures[COUNT]! += 1;
    setTimeout(() => ask(socket), PAUSE_MS);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(open, PAUSE_MS));
}

function ask(socket: Socket): void {
  if (socket.destroyed) return;
  lentBefore = lent();
  asked = performance.now();
  socket.write(QUESTION);
}

/**
 * Returns the time in milliseconds that the main thread of the service and this thread have waited for a processor,
 * added up. A time that the system does not report counts as 0.
 */
function lent(): number {
  return waited(`/proc/${pid}/task/${pid}/schedstat`) + waited('/proc/thread-self/schedstat');
}

function waited(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

open();
