/** The thread of `upload-worker.ts`. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { uploadRows } from './upload-rows.ts';
import type { UploadPart, UploadTask } from './upload-worker.ts';

/** Rows per message. The main thread handles one message without a pause. */
const ROWS = 25;

const port = parentPort!;

for (;;) {
  const [{ content, client }] = (await once(port, 'message')) as [UploadTask];
  const reading = uploadRows(content, client);
  if ('refused' in reading) {
    send(reading);
    continue;
  }
  for (let first = 0; first < reading.rows.length; first += ROWS) {
    const isLast = first + ROWS >= reading.rows.length;
    const next = isLast ? undefined : once(port, 'message');
    send({ rows: reading.rows.slice(first, first + ROWS), isLast });
    await next;
  }
}

function send(part: UploadPart): void {
  port.postMessage(part);
}
