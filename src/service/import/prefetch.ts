/** A thread reads, parses and checks rows of items while the import writes earlier rows. */
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type PortableError, portable, received } from '../../platform/message/field-errors.ts';
import type { ClientRow } from '../../platform/storage/tables.ts';
import type { InputFile } from './bytes.ts';
import type { RowReader, SourceRow } from './rows.ts';
import type { Prepared } from './sink.ts';

/** The file that the thread reads, and the client whose rules it applies. */
export interface PrefetchTask {
  file: InputFile;
  position: number;
  firstNumber: number;
  client: ClientRow;
}

/** A row without its bytes, and with errors that can be sent to another thread. */
type AheadRow = Omit<SourceRow, 'bytes' | 'prepared'> & {
  prepared?: Omit<Prepared, 'errors'> & { errors: PortableError[] };
};

/** A message of the thread: a batch of rows with their bytes in one block, or `end`. */
export type AheadMessage = { rows: AheadRow[]; lengths: number[]; bytes: Uint8Array; share: number } | 'end';

/** Packs a batch for the other thread. The bytes of all rows are in one block, which is transferred, not copied. */
export function packed(rows: readonly SourceRow[], share: number): Exclude<AheadMessage, 'end'> {
  // Memory from the pool of small buffers cannot be transferred.
  const all = Buffer.allocUnsafeSlow(rows.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of rows) at += bytes.copy(all, at);
  const lengths = rows.map(({ bytes }) => bytes.length);
  return { rows: rows.map(aheadRow), lengths, bytes: all, share };
}

function aheadRow({ bytes: _, prepared, ...row }: SourceRow): AheadRow {
  return {
    ...row,
    value: undefined,
    ...(prepared && { prepared: { ...prepared, errors: portable(prepared.errors) } }),
  };
}

function unpacked({ rows, lengths, bytes }: Exclude<AheadMessage, 'end'>): SourceRow[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  return rows.map(({ prepared, ...row }, index) => {
    const from = at;
    at += lengths[index]!;
    return {
      ...row,
      bytes: all.subarray(from, at),
      ...(prepared && { prepared: { ...prepared, errors: received(prepared.errors) } }),
    };
  });
}

/** Maximum number of batches that the thread reads ahead: about 4 MB of the file, enough for two commits. */
export const AHEAD_MAX = 16;

/** Minimum size of a file on disk. For a smaller file, the start of a thread costs more than it saves. */
const WORTH_BYTES = 4 * 1024 * 1024;

/**
 * Size of the young generation in MB. It keeps most objects of a batch out of the old generation, whose garbage
 * collection pauses the thread.
 */
const YOUNG_MB = 32;

export function isWorthThread(file: Pick<InputFile, 'size'>): boolean {
  return file.size >= WORTH_BYTES && availableParallelism() > 1;
}

/** Like `read` of the reader, but rows have `prepared` instead of `value`. */
export function prefetch(task: PrefetchTask): ReturnType<RowReader['read']> {
  let share = 0;
  async function* batches(): AsyncGenerator<SourceRow[]> {
    // The module of the thread has the same extension as this module: .ts in the sources, .js in the package.
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
