/**
 * A process that imports is killed repeatedly at random instants. In the end no row is missing, and no row is imported
 * twice.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/platform/json-column.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { exportLines } from '../../src/service/import/export.ts';
import { migrate } from '../../src/service/migrate.ts';
import { testProgram } from '../../town/test-program.ts';
import { freshUrl } from '../support/store.ts';
import { ITEM_COLUMNS, inputFile, itemRow } from './support/shop.ts';

const KILLS = 20;
const ROWS = 8000;
const SEED = 20_101_201;

/** Returns numbers from 0 to 1 that are the same in each run (a linear congruential generator). */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Returns rows of which every ninth is invalid. */
function content(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => itemRow(`K${n}`, n % 9 === 4 ? 'x'.repeat(121) : `Kite ${n}`));
  return `${ITEM_COLUMNS}\n${rows.join('\n')}\n`;
}

async function freshStore(): Promise<Store> {
  const url = freshUrl();
  await migrate(url, { now: () => 0 });
  const store = await openStore(url);
  const times = { created_at: 0, updated_at: 0 };
  await store.write((tx) =>
    tx
      .insertInto('clients')
      .values({
        client_id: 'SHOP',
        name: 'Shop',
        catalog_ids: '["A"]' as Json<string[]>,
        settings: '{}' as Json<object>,
        ...times,
      })
      .execute(),
  );
  return store;
}

function start(
  store: Store,
  file: string,
): { process: ChildProcess; output: Promise<{ code: number | null; text: string }> } {
  const program = testProgram();
  const args = [program.main, 'import', 'items', file, '--client', 'SHOP', '--batch-rows', '50', '--json'];
  const env = { PATH: process.env.PATH, DATABASE_URL: store.url, LOG_LEVEL: 'silent', ...program.env };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.resume();
  const output = new Promise<{ code: number | null; text: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, text }));
  });
  return { process: child, output };
}

async function position(store: Store): Promise<number> {
  const row = await store.read((db) => db.selectFrom('imports').select('rows_read').executeTakeFirst());
  return row?.rows_read ?? 0;
}

/**
 * Waits until the process has committed another batch or has ended. It watches the folder of the database, because
 * every commit writes to a file there.
 */
async function commits(child: ChildProcess, store: Store, before: number): Promise<void> {
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  try {
    for await (const _ of watch(dirname(store.url.slice('sqlite:'.length)), { signal: ended.signal })) {
      if ((await position(store)) !== before) return;
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  }
}

async function state(store: Store, rejectFile: string) {
  const lines: string[] = [];
  for await (const line of exportLines(store, 'items', 'SHOP')) lines.push(line);
  const events = await store.read((db) =>
    db.selectFrom('events').select(['resource_id', 'revision']).orderBy('resource_id').execute(),
  );
  return { lines, events, rejects: readFileSync(rejectFile, 'utf8') };
}

describe('an import that is killed', () => {
  let straight: Store;
  let killed: Store;
  beforeAll(async () => {
    straight = await freshStore();
    killed = await freshStore();
  });
  afterAll(() => Promise.all([straight.close(), killed.close()]));

  it(`${KILLS} times at random instants gives the same rows and rejects, once each`, { timeout: 400_000 }, async () => {
    const dice = random(SEED);
    const file = inputFile('items.csv', content());
    let kills = 0;
    while (kills < KILLS) {
      const before = await position(killed);
      const run = start(killed, file);
      // Waits for the first commit of this run, so that every run makes progress. The kill then comes at a random
      // instant of the next batches.
      await commits(run.process, killed, before);
      await sleep(dice.next().value * 12);
      expect(run.process.exitCode, 'the run ended before it was killed: the file is too small').toBeNull();
      run.process.kill('SIGKILL');
      await run.output;
      kills++;
    }
    const last = await start(killed, file).output;
    expect(last.code, last.text).toBe(0);
    const other = inputFile('items.csv', content());
    const whole = await start(straight, other).output;
    const [ends, expected] = [JSON.parse(last.text), JSON.parse(whole.text)] as [Summary, Summary];
    expect(ends.files[0]!.resumed).toBe(true);
    const { rowsRead, rowsImported, rowsRefused } = ends;
    expect({ rowsRead, rowsImported, rowsRefused }).toEqual({
      rowsRead: ROWS,
      rowsImported: expected.rowsImported,
      rowsRefused: expected.rowsRefused,
    });
    expect(rowsRefused).toEqual({ MAX_LENGTH: 889 });
    expect(await state(killed, ends.files[0]!.rejectFile)).toEqual(
      await state(straight, expected.files[0]!.rejectFile),
    );
  });
});

interface Summary {
  rowsRead: number;
  rowsImported: number;
  rowsRefused: Record<string, number>;
  files: { resumed: boolean; rejectFile: string }[];
}
