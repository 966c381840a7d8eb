/** The thread of `prefetch.ts`. It reads, parses and checks rows of items, and sends them in batches. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { messageMaker, prepareRows } from './messages.ts';
import { AHEAD_MAX, type PrefetchTask, packed } from './prefetch.ts';
import { openRows } from './rows.ts';
import { openSink } from './sinks.ts';

const port = parentPort!;
const { file, position, firstNumber, client } = workerData as PrefetchTask;

// `head` is a Buffer in the sending thread, but a plain array of bytes here.
const reader = openRows({ ...file, head: Buffer.from(file.head) });
const sink = openSink('items', { client, store: undefined, sellerIds: [] }, undefined);
const make = messageMaker(undefined, { sink, reader, context: undefined });

let room = AHEAD_MAX;
port.on('message', () => {
  room += 1;
});

const source = reader.read(position, firstNumber);
for await (const rows of source.batches) {
  await prepareRows(rows, make, sink);
  while (room === 0) await once(port, 'message');
  room -= 1;
  const message = packed(rows, source.progress());
  port.postMessage(message, [message.bytes.buffer as ArrayBuffer]);
}
port.postMessage('end');
port.close();
