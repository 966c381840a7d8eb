/** Reads uploads in a thread: 8 MiB of CSV take seconds and would block all other requests. */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type PortableError, received } from '../platform/message/field-errors.ts';
import type { ClientRow } from '../platform/storage/tables.ts';
import { type UploadedRow, type UploadOwner, type UploadReading, uploadRows } from './upload-rows.ts';

/** The message to the thread. */
export interface UploadTask {
  content: Uint8Array;
  client: UploadOwner;
}

/**
 * A message of the thread: a rejection, or the next part of the rows. The thread sends a part after the main thread has
 * received the previous part.
 */
export type UploadPart =
  | { refused: 'records' }
  | { refused: 'errors'; errors: PortableError[]; total: number | string }
  | { rows: PortableRow[]; isLast: boolean };

type PortableRow = Omit<UploadedRow, 'errors'> & { errors: PortableError[] };

/**
 * Files with more bytes are read in the thread. For smaller files, the start of the thread takes more time than the
 * thread saves.
 */
const WORTH_BYTES = 65_536;
/** Time until an idle thread ends. Starting a thread takes a third of a second, and a running thread uses 40 MB. */
const IDLE_MS = 20_000;

/**
 * Reads the records of a file. One thread reads the large files one by one, so that uploads leave CPU time to other
 * requests.
 */
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
      throw new Error('The thread that reads uploads ended before it had read the file; send the upload again.');
    });
    gone.catch(() => undefined);
    const rows: UploadedRow[] = [];
    for (;;) {
      const [part] = (await Promise.race([once(thread, 'message', ended), gone])) as [UploadPart];
      if ('refused' in part) return part.refused === 'errors' ? { ...part, errors: received(part.errors) } : part;
      for (const row of part.rows) rows.push({ ...row, errors: received(row.errors) });
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
  // The modules of both threads have the same extension: .ts in the repository, .js in the package.
  return new Worker(new URL(`./upload-thread${extname(import.meta.url)}`, import.meta.url));
}

function endThread(): void {
  const thread = worker;
  worker = undefined;
  void thread?.terminate();
}
