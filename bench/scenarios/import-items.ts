/**
 * Measures the speed of `backroom import items` against plain inserts of the same documents, and its memory with a
 * large file.
 */
import { once } from 'node:events';
import { closeSync, createWriteStream, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { run } from '../support/command.ts';
import { benchItem, CLIENT, copyOf, filledWithItems } from '../support/data.ts';
import { productionInstall } from '../support/production.ts';
import { atLeast, atMost, type BenchOptions, interleaved, type Scenario, shown } from '../support/scenario.ts';

const BATCH_ROWS = 500;

/** Maximum ratio of the two memory figures. Two equal runs can differ by this factor. */
const FLAT = 1.25;

export const importItems: Scenario = {
  name: 'import-items',
  async run(options) {
    const rows = options.quick ? 500 : 60_000;
    const rounds = options.quick ? 1 : 5;
    const filled = await filledWithItems(options.folder, 200);
    const { main } = productionInstall(options.folder);
    const file = join(options.folder, 'items.ndjson');
    await writeItems(file, rows);
    // Each run is a new process, like an operator's command, so the time of the start is subtracted.
    const start = await timed(async () => run(main, filled.url, ['version']));
    const ours = async () => {
      const { url } = copyOf(filled, 'import-ours');
      const ms = await timed(async () => run(main, url, importArguments(file)));
      return rows / ((ms - start) / 1000);
    };
    const bare = (events: boolean) => async () => bareInserts(copyOf(filled, 'import-by-hand').file, file, events);
    const result = await interleaved(rounds, ours, bare(true));
    options.say(`  ${Math.round(result.value)} against ${Math.round(result.counterpart)} items/s`);
    const plain = await interleaved(options.quick ? 1 : 3, ours, bare(false));
    const both = `NDJSON of 2.5 KB an item, ${rows} of them, ${BATCH_ROWS} a commit on both sides; against reading and parsing the same file and inserting its documents`;
    const engine = 'sqlite';
    const unit = 'items/s';
    const note = `${both}, each with its event: the same rows are written on both sides`;
    return [
      atLeast(0.5, { name: 'import items', engine, unit, note, ...result }),
      shown({ name: 'import items, against documents alone', engine, unit, note: `${both} without events`, ...plain }),
      await memory(options, main, copyOf(filled, 'import').url),
    ];
  },
};

function importArguments(file: string): string[] {
  return ['import', 'items', file, '--client', CLIENT, '--again', '--json', '--batch-rows', String(BATCH_ROWS)];
}

/** Compares the peak resident memory of two imports; the second file is four times as large. */
async function memory(options: BenchOptions, main: string, url: string) {
  // A file with four times this number of rows has 1 GB.
  const rows = options.quick ? 500 : 110_000;
  const file = join(options.folder, 'items-large.ndjson');
  const peaks: number[] = [];
  for (const count of [rows, rows * 4]) {
    await writeItems(file, count);
    const samples: number[] = [];
    await run(main, url, importArguments(file), samples);
    peaks.push(Math.max(...samples));
  }
  rmSync(file);
  const [small = 0, large = 0] = peaks;
  const note = `highest resident memory of an import of ${rows * 4} items, against one of ${rows}`;
  const measure = { value: large, unit: 'MB', counterpart: small, ratio: large / small, note };
  return atMost(FLAT, { name: 'import items, memory', engine: 'sqlite', ...measure });
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

/**
 * Reads the file line by line, parses each line and inserts its text, like a short script. Returns items per second.
 */
function bareInserts(database: string, file: string, events: boolean): Promise<number> {
  const began = performance.now();
  const db = new Database(database);
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  const insert = db.prepare(
    'insert into items (client_id, item_id, revision, doc, created_at, updated_at, term_form) values (?, ?, 1, ?, 0, 0, 1)',
  );
  const event = db.prepare(
    `insert into events (client_id, event_id, at, type, resource_type, resource_id, revision, actor, request_id, data) values (?, ?, 0, 'item.created', 'item', ?, 1, ?, ?, '{"changes":[]}')`,
  );
  const run = 'ab'.repeat(16);
  let count = 0;
  const batch = db.transaction((lines: readonly string[]) => {
    for (const line of lines) {
      const { itemId } = JSON.parse(line) as { itemId: string };
      insert.run(CLIENT, itemId, line);
      if (events) event.run(CLIENT, eventId(count), itemId, `import:${run}`, run);
      count += 1;
    }
  });
  // The file is read as a stream, as in the import.
  for (const lines of linesOf(file)) batch(lines);
  db.close();
  return Promise.resolve(count / ((performance.now() - began) / 1000));
}

/**
 * Returns an identifier with the length of a UUID. The identifiers ascend with `n`, because the service's identifiers
 * ascend with time.
 */
function eventId(n: number): string {
  return `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

function* linesOf(file: string): Generator<string[]> {
  const chunk = Buffer.alloc(1024 * 1024);
  const handle = openSync(file, 'r');
  let lines: string[] = [];
  let rest = '';
  // The items of the bench are ASCII, so a chunk never ends inside a character.
  for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
    lines.push(...(rest + chunk.toString('latin1', 0, read)).split('\n'));
    rest = lines.pop() ?? '';
    while (lines.length >= BATCH_ROWS) yield lines.splice(0, BATCH_ROWS);
  }
  closeSync(handle);
  lines = rest === '' ? lines : [...lines, rest];
  if (lines.length > 0) yield lines;
}
