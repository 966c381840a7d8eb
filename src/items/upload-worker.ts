/** Reads uploads in a thread: 8 MiB of CSV take seconds, in which the process would answer nobody. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ClientRow } from '../platform/storage/tables.ts';
import { type UploadedRow, type UploadOwner, type UploadReading, uploadRows } from './upload-rows.ts';

/** What the thread is given. */
export interface UploadTask {
  content: Uint8Array;
  client: UploadOwner;
}

/** What comes from the thread: a refusal, or the rows in parts, each after the one before was taken. */
export type UploadPart = Exclude<UploadReading, { rows: unknown }> | { rows: UploadedRow[]; isLast: boolean };

/** Below it the way to the thread costs more than it saves. Bytes. */
const WORTH_BYTES = 65_536;
/** A thread takes a third of a second to start, and 40 MB while it waits. */
const IDLE_MS = 20_000;

/** The records of a file. Files are read one after another: more threads would take the time from the rest of the service. */
export function readUploadRows(content: Buffer, client: ClientRow): Promise<UploadReading> {
  const { client_id, catalog_ids, settings } = client;
  const task = { content, client: { client_id, catalog_ids, settings } };
  if (content.length <= WORTH_BYTES) return Promise.resolve(uploadRows(content, task.client));
  const reading = last.then(() => readInThread(task));
  last = reading.catch(() => undefined);
  return reading;
}

let last: Promise<unknown> = Promise.resolve();
let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

async function readInThread(task: UploadTask): Promise<UploadReading> {
  clearTimeout(idle);
  worker ??= startThread();
  const thread = worker;
  thread.ref();
  thread.postMessage(task);
  const ended = new AbortController();
  try {
    const gone = once(thread, 'exit', ended).then(() => {
      throw new Error('The thread that reads uploads has ended.');
    });
    gone.catch(() => undefined);
    const rows: UploadedRow[] = [];
    for (;;) {
      const [part] = (await Promise.race([once(thread, 'message', ended), gone])) as [UploadPart];
      if ('refused' in part) return part;
      for (const row of part.rows) rows.push(row);
      if (part.isLast) return { rows };
      thread.postMessage('more');
    }
  } catch (error) {
    worker = undefined;
    throw error;
  } finally {
    ended.abort();
    thread.unref();
    idle = setTimeout(endThread, IDLE_MS).unref();
  }
}

function startThread(): Worker {
  // The thread's module has the same ending as this one: .ts as it stands, .js in the package.
  return new Worker(new URL(`./upload-thread${extname(import.meta.url)}`, import.meta.url));
}

function endThread(): void {
  const thread = worker;
  worker = undefined;
  void thread?.terminate();
}
