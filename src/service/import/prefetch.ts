/** Rows of items read, parsed and checked by a thread of their own, while the rows before them are written. */
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ClientRow } from '../../platform/storage/tables.ts';
import type { InputFile } from './bytes.ts';
import type { RowReader, SourceRow } from './rows.ts';

/** What the thread is to read, and by whose rules it checks. */
export interface PrefetchTask {
  file: InputFile;
  position: number;
  firstNumber: number;
  client: ClientRow;
}

/** What comes from the thread, batch by batch and then `end`: rows, and their bytes one after the other. */
export type AheadMessage =
  | { rows: Omit<SourceRow, 'bytes'>[]; lengths: number[]; bytes: Uint8Array; share: number }
  | 'end';

/** Takes a batch apart; its bytes are handed over, not copied. */
export function packed(rows: readonly SourceRow[], share: number): Exclude<AheadMessage, 'end'> {
  // Not from the pool of small buffers, of which nothing can be handed over.
  const all = Buffer.allocUnsafeSlow(rows.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of rows) at += bytes.copy(all, at);
  const lengths = rows.map(({ bytes }) => bytes.length);
  return { rows: rows.map(({ bytes: _, ...row }) => ({ ...row, value: undefined })), lengths, bytes: all, share };
}

function unpacked({ rows, lengths, bytes }: Exclude<AheadMessage, 'end'>): SourceRow[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  return rows.map((row, index) => {
    const from = at;
    at += lengths[index]!;
    return { ...row, bytes: all.subarray(from, at) };
  });
}

/** Batches that the thread may be ahead: about 4 MB of the file, two batches of rows that are committed together. */
export const AHEAD_MAX = 16;

/** Below it the start of a thread costs more than it saves. Bytes on disk. */
const WORTH_BYTES = 4 * 1024 * 1024;

/** Keeps most of what lives as long as a batch out of the old generation, which is collected while nothing else runs. */
const YOUNG_MB = 32;

export function isWorthThread(file: Pick<InputFile, 'size'>): boolean {
  return file.size >= WORTH_BYTES && availableParallelism() > 1;
}

/** As the reader's own `read`, but rows come without their `value` and with `prepared`. */
export function prefetch(task: PrefetchTask): ReturnType<RowReader['read']> {
  let share = 0;
  async function* batches(): AsyncGenerator<SourceRow[]> {
    // The thread's module has the same ending as this one: .ts as it stands, .js in the package.
    const worker = new Worker(new URL(`./prefetch-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    try {
      for await (const [message] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[AheadMessage]>) {
        if (message === 'end') return;
        share = message.share;
        yield unpacked(message);
        worker.postMessage('more');
      }
      throw new Error('The thread that reads the file has ended.');
    } finally {
      await worker.terminate();
    }
  }
  return { batches: batches(), progress: () => share };
}
