/**
 * The load generator, a separate process. It keeps `connections` raw sockets open, with one request in flight on each.
 * Its parent process sends a `Load` and receives a `Measured`.
 */
import { connect, type Socket } from 'node:net';
import { type Keys, keySequence } from './keys.ts';

export interface Load {
  port: number;
  connections: number;
  /** The run ends when `seconds` have passed and at least `atLeast` responses have arrived. */
  seconds: number;
  atLeast?: number;
  /** HTTP requests as text. They are sent in turn, with the next key in place of `{key}`. */
  requests: readonly string[];
  keys?: Keys;
}

export interface Measured {
  /** Number of 2xx responses. */
  answered: number;
  /** Number of other responses, by status. */
  others: Record<string, number>;
  seconds: number;
  /** Median and 99th percentile of the time from writing a request to its complete response, in microseconds. */
  p50: number;
  p99: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('content-length: ');
const BUCKETS = 20_000;
const BUCKET_US = 5;

process.on('message', (load: Load) => {
  run(load).then(
    (measured) => process.send!(measured),
    (error: unknown) => {
      process.stderr.write(`The load generator gives up: ${String(error)}\n`);
      process.exit(1);
    },
  );
});

async function run(load: Load): Promise<Measured> {
  const next = requestMaker(load);
  const histogram = new Uint32Array(BUCKETS);
  const others: Record<string, number> = {};
  let answered = 0;
  let total = 0;
  let isOver = false;
  const began = performance.now();
  const finished = Array.from({ length: load.connections }, () => {
    return new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      const send = () => {
        if (isOver) {
          socket.end();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.write(next(), 'latin1');
      };
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the service closed a connection')));
      socket.on('connect', send);
      readAnswers(socket, (status) => {
        const bucket = ((performance.now() - sentAt) * 1000) / BUCKET_US;
        histogram[Math.min(BUCKETS - 1, Math.floor(bucket))]!++;
        if (status >= 200 && status < 300) answered++;
        else others[status] = (others[status] ?? 0) + 1;
        total++;
        isOver ||= isLate && total >= (load.atLeast ?? 0);
        send();
      });
    });
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
  }, load.seconds * 1000);
  // Keeps this process awake. Otherwise this process sleeps between the responses of a slow server, and the time to wake
  // it counts as time of the server.
  const stayAwake = () => {
    if (!isOver) setImmediate(stayAwake);
  };
  stayAwake();
  await Promise.all(finished);
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1000;
  return { answered, others, seconds, p50: percentile(histogram, 0.5), p99: percentile(histogram, 0.99) };
}

function requestMaker({ requests, keys }: Load): () => string {
  let turn = 0;
  if (keys === undefined) return () => requests[turn++ % requests.length]!;
  const sequence = keySequence(keys);
  const parts = requests.map((request) => request.split('{key}'));
  return () => {
    const [before = '', after] = parts[turn % parts.length]!;
    const key = sequence[turn++ % sequence.length]!;
    return after === undefined ? before : before + key + after;
  };
}

/** Calls `onAnswer` for each complete response. Every response has a Content-Length. */
function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let head: Buffer | undefined;
  let status = 0;
  let missing = 0;
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (missing <= 0) onAnswer(status);
      return;
    }
    const start = head === undefined ? chunk : Buffer.concat([head, chunk]);
    const end = start.indexOf(HEAD_END);
    if (end < 0) {
      head = start;
      return;
    }
    head = undefined;
    status = (start[9]! - 48) * 100 + (start[10]! - 48) * 10 + (start[11]! - 48);
    missing = contentLength(start, end) - (start.length - end - HEAD_END.length);
    if (missing <= 0) onAnswer(status);
  });
}

function contentLength(start: Buffer, end: number): number {
  let at = start.indexOf(LENGTH);
  if (at < 0 || at > end) return 0;
  let length = 0;
  for (at += LENGTH.length; start[at]! >= 48 && start[at]! <= 57; at++) length = length * 10 + start[at]! - 48;
  return length;
}

function percentile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    seen += histogram[bucket]!;
    if (seen >= total * share) return (bucket + 1) * BUCKET_US;
  }
  return BUCKETS * BUCKET_US;
}
