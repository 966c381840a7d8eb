/** The decision records: each has a status, and the index lists each once with its title and status. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pages.ts';

const FOLDER = join(ROOT, 'docs/decisions');
const files = readdirSync(FOLDER).filter((file) => /^\d{3}-.+\.md$/.test(file));
const numbers = files.map((file) => file.slice(0, 3));
const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
/** Rows of the tables below "All records". The list of the ten decisions to know first is left out. */
const rows = [
  ...index.slice(index.indexOf('## All records')).matchAll(/^\| \[(\d{3})\]\((.+)\) \| (.+) \| (.+) \|$/gm),
];

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const title = /^# (\d{3}) (.+)$/m.exec(text);
  const status = /^\W*Status\W+(in force|replaced by (\d{3}))\b/im.exec(text);

  it('has its number, a title and a status, and a successor that exists', () => {
    expect(title?.[1]).toBe(file.slice(0, 3));
    expect(status?.[1]).toBeDefined();
    if (status?.[2] !== undefined) expect(numbers).toContain(status[2]);
  });

  it('is in the index once, under its own title and status', () => {
    const own = rows.filter(([, number]) => number === title?.[1]).map((row) => row.slice(2));
    expect(own).toEqual([[file, title?.[2], status?.[1]?.toLowerCase()]]);
  });
});

it('no two records have one number, and the index lists nothing else', () => {
  expect(new Set(numbers).size).toBe(files.length);
  expect(rows).toHaveLength(files.length);
});

it('ten records are those to know first', () => {
  const first = index.slice(index.indexOf('## The ten decisions'), index.indexOf('## All records'));
  const listed = [...first.matchAll(/^\| \[(\d{3}) [^\]]+\]\(/gm)].map(([, number]) => number);
  expect(new Set(listed).size).toBe(10);
  expect(numbers).toEqual(expect.arrayContaining(listed));
});
