import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { seenOf } from './seen.ts';

const FOLDER = new URL('../edi/files/', import.meta.url);
const NAMES = globSync('*.x12', { cwd: FOLDER })
  .map((file) => basename(file, '.x12'))
  .toSorted();

it.each(NAMES)('the file %s is read, judged and acknowledged as the page beside it says', async (name) => {
  const seen = await seenOf(readFileSync(new URL(`${name}.x12`, FOLDER)));
  const page: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  expect(JSON.parse(JSON.stringify(seen))).toEqual(page);
});
