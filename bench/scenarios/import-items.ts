/** `backroom import items`, every rule checked, against bare inserts of the same documents; and its memory on a large file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { benchItem, CLIENT, copyOf, filledWithItems } from '../support/data.ts';
import { MAIN } from '../support/processes.ts';
import { atLeast, type BenchOptions, below, interleaved, type Scenario } from '../support/scenario.ts';

const BATCH_ROWS = 500;

export const importItems: Scenario = {
  name: 'import-items',
  async run(options) {
    const rows = options.quick ? 500 : 10_000;
    const rounds = options.quick ? 1 : 5;
    const filled = await filledWithItems(options.folder, 200);
    const file = join(options.folder, 'items.ndjson');
    await writeItems(file, rows);
    const large = copyOf(filled, 'import');
    // Both sides start from an empty process and database each time, so their start is taken off.
    const start = await timed(async () => run(large.url, ['version']));
    const result = await interleaved(
      rounds,
      async () => {
        const { url } = copyOf(filled, 'import-ours');
        const ms = await timed(async () =>
          run(url, ['import', 'items', file, '--client', CLIENT, '--again', '--json']),
        );
        return rows / ((ms - start) / 1000);
      },
      async () => bareInserts(copyOf(filled, 'import-by-hand').file, file),
    );
    options.say(`  ${Math.round(result.value)} against ${Math.round(result.counterpart)} items/s`);
    const note = `NDJSON of 2.5 KB an item, ${BATCH_ROWS} a commit on both sides; against reading and parsing the same file and inserting its documents, synchronous=FULL`;
    return [
      atLeast(0.5, { name: 'import items', engine: 'sqlite', unit: 'items/s', note, ...result }),
      await memory(options, large.url),
    ];
  },
};

/** Resident memory in the middle and at the end of a large file. */
async function memory(options: BenchOptions, url: string) {
  const rows = options.quick ? 1_000 : 80_000;
  const file = join(options.folder, 'items-large.ndjson');
  await writeItems(file, rows);
  const samples: number[] = [];
  await run(url, ['import', 'items', file, '--client', CLIENT, '--again', '--json'], samples);
  rmSync(file);
  const tail = samples.slice(samples.length >> 1);
  const early = Math.max(...samples.slice(samples.length >> 2, (samples.length >> 1) + 1));
  const late = Math.max(...tail);
  const note = `highest resident memory in the second half of a file of ${rows} items; in the second quarter it was ${Math.round(early)} MB`;
  return below(256, { name: 'import items, memory', engine: 'sqlite', value: late, unit: 'MB', note });
}

async function writeItems(file: string, rows: number): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < rows; n++) {
    if (!out.write(`${JSON.stringify(benchItem(n + 1_000_000))}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Runs a command of backroom; with `samples` its resident memory in MB, every 100 ms. */
async function run(url: string, args: readonly string[], samples?: number[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, BACKROOM_SECRET: 'ab'.repeat(32) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  while (samples !== undefined && child.exitCode === null) {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
      if (kilobytes !== undefined) samples.push(Number(kilobytes) / 1024);
    } catch {
      break;
    }
    await sleep(100);
  }
  const [code] = await exit;
  if (code !== 0) throw new Error(`backroom ${args[0]} ended with ${code}: ${errors}`);
}

/** Reads the file line by line, parses each and inserts its text: what a script of ten lines would do. Items a second. */
function bareInserts(database: string, file: string): Promise<number> {
  const began = performance.now();
  const db = new Database(database);
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  const insert = db.prepare('insert into items values (?, ?, 1, ?, 0, 0)');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  for (let first = 0; first < lines.length; first += BATCH_ROWS) {
    db.transaction(() => {
      for (const line of lines.slice(first, first + BATCH_ROWS)) {
        const item = JSON.parse(line) as { itemId: string };
        insert.run(CLIENT, item.itemId, line);
      }
    })();
  }
  db.close();
  return Promise.resolve(lines.length / ((performance.now() - began) / 1000));
}
