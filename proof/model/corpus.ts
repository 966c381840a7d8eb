/** The kept sequences of proof/corpus: each once failed, here or with a planted bug, and is replayed by `npm test`. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from './command.ts';

export interface Kept {
  /** Why it is kept. */
  found: string;
  commands: Command[];
}

const FOLDER = new URL('../corpus/', import.meta.url);

export function corpus(): [file: string, kept: Kept][] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => [file, JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Kept]);
}

/** Keeps a sequence under a name made of its content; returns the name. */
export function keep(kept: Kept): string {
  const text = JSON.stringify(kept.commands);
  const file = `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`;
  writeFileSync(new URL(file, FOLDER), `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}
