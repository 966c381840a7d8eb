/** The thread of `upload-worker.ts`. It reads uploaded CSV files as checked items, and sends them in batches. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { portable } from '../platform/message/field-errors.ts';
import { uploadRows } from './upload-rows.ts';
import type { UploadPart, UploadTask } from './upload-worker.ts';

/** Rows per message. The main thread handles a message without a pause, so messages are small. */
const ROWS = 25;

const port = parentPort!;

for (;;) {
  const [{ content, client }] = (await once(port, 'message')) as [UploadTask];
  const reading = uploadRows(content, client);
  if ('refused' in reading) {
    send(reading.refused === 'errors' ? { ...reading, errors: portable(reading.errors) } : reading);
    continue;
  }
  const rows = reading.rows.map((row) => ({ ...row, errors: portable(row.errors) }));
  for (let first = 0; first < rows.length; first += ROWS) {
    const isLast = first + ROWS >= rows.length;
    const next = isLast ? undefined : once(port, 'message');
    send({ rows: rows.slice(first, first + ROWS), isLast });
    await next;
  }
}

function send(part: UploadPart): void {
  port.postMessage(part);
}
