import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/storage/db.ts';
import { migrate } from '../../src/storage/migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
let template: Promise<string> | undefined;

async function migrated(): Promise<string> {
  const file = join(folder, 'template.db');
  await migrate(`sqlite:${file}`, { now: () => 0 });
  return file;
}

/** The URL of an empty database without any table; its file goes when the test file ends. */
export function freshUrl(): string {
  return `sqlite:${join(folder, `${++files}.db`)}`;
}

/**
 * An empty, migrated store on a real file. The one function from which the suite takes its engine. `close()` deletes the
 * file; what a test leaves open goes when the test file ends. `from` is a database to copy instead of the empty one.
 */
export async function openTestStore(options: StoreOptions = {}, from?: string): Promise<Store> {
  if (from === undefined) template ??= migrated();
  const url = freshUrl();
  const file = url.slice('sqlite:'.length);
  copyFileSync(from ?? (await template!), file);
  const store = await openStore(url, options);
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  };
  return store;
}
