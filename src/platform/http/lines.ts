/**
 * Long responses, one JSON text per line (NDJSON). Each part is read from a separate snapshot, after the
 * connection has taken the part before it. Therefore no transaction waits for the network, and memory holds few parts.
 */
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadCtx } from '../ctx.ts';
import { stringifyJson } from '../message/json.ts';
import { say } from '../sentences.ts';
import type { Store } from '../storage/db.ts';
import { accepts } from './compress.ts';
import { Refusal } from './errors.ts';

/** Content type of long responses. */
export const LINES_TYPE = 'application/x-ndjson';

/** A part of a long response. */
export interface LinePart {
  records: readonly object[];
  /** Reads the next part; absent: this part is the last part. */
  next?: (ctx: ReadCtx) => Promise<LinePart>;
}

/**
 * Maximum number of open responses of one client. For a fast caller, the service reads part after part without a pause,
 * so each open response takes much of the service's time.
 */
const OPEN_OF_CLIENT = 4;

/** A caller that receives no data for this time is disconnected. */
const STALLED_MS = 60_000;

/** Number of open responses, by client. */
const open = new WeakMap<Store, Map<string, number>>();

/**
 * Counts an open response of a client; returns the function that removes it from the count.
 * @throws Refusal 429 if too many responses are open
 */
export function openLines(store: Store, clientId: string): () => void {
  const known = open.get(store) ?? new Map<string, number>();
  open.set(store, known);
  const count = known.get(clientId) ?? 0;
  if (count >= OPEN_OF_CLIENT) {
    const words = say(
      'The client already has the maximum of {openOfClient} running exports; wait until an export has ended.',
      {
        openOfClient: OPEN_OF_CLIENT,
      },
    );
    throw new Refusal(429, 'STATE', 'TOO_MANY_REQUESTS', words, { headers: { 'retry-after': '5' } });
  }
  known.set(clientId, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = known.get(clientId)! - 1;
    if (left === 0) known.delete(clientId);
    else known.set(clientId, left);
  };
}

/** The functions that send a long response. */
export interface Sending {
  /** Reads a part. */
  read: (next: NonNullable<LinePart['next']>) => Promise<LinePart>;
  /** Returns the record without the fields that the caller must not see. */
  show: (record: object) => unknown;
  /** Called with the records of each part before they are sent. */
  note: (records: readonly object[]) => void;
  /**
   * Whether the response must end after this part. It then has no `end` line, and the caller continues with a new
   * request.
   */
  mustEnd: () => boolean;
  /** Called once, after the last part or when the connection has ended. */
  close: () => void;
}

/** Returns the text of a response as a stream. If a part cannot be read, the response is aborted. */
export function streamOf(first: LinePart, { read, show, note, mustEnd, close }: Sending): Readable {
  async function* parts(): AsyncGenerator<string> {
    for (let part = first; ; ) {
      note(part.records);
      if (part.records.length > 0) yield part.records.map((record) => `${stringifyJson(show(record))}\n`).join('');
      if (part.next === undefined || mustEnd()) return;
      part = await read(part.next);
    }
  }
  const stream = Readable.from(parts(), { objectMode: true, highWaterMark: 1 });
  stream.once('close', close);
  return stream;
}

/** Sends the text, compressed if the caller uses a key and accepts gzip. */
export function sendLines(request: FastifyRequest, reply: FastifyReply, lines: Readable): FastifyReply {
  reply.header('content-type', LINES_TYPE);
  const isZipped = accepts(request, reply);
  if (request.method === 'HEAD') {
    lines.destroy();
    // A HEAD gets an empty stream, so that its response has no Content-Length, like the response of the GET.
    return reply.send(Readable.from([]));
  }
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  if (!isZipped) return reply.send(lines);
  const zipped = createGzip({ level: constants.Z_BEST_SPEED });
  // An error of one stream ends the other stream. Fastify reports the error and closes the connection.
  pipeline(lines, zipped, () => undefined);
  return reply.send(zipped);
}
