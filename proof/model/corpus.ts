/**
 * The saved sequences of proof/corpus. Each of them failed once, in the service or with a planted bug. `npm test`
 * replays them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from './command.ts';

export interface Kept {
  /** The failure that the sequence found. */
  found: string;
  commands: Command[];
}

const FOLDER = new URL('../corpus/', import.meta.url);

export function corpus(): [file: string, kept: Kept][] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => [file, JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Kept]);
}

/** Saves a sequence under a name derived from its content. Returns the name. */
export function keep(kept: Kept): string {
  const text = JSON.stringify(kept.commands);
  const file = `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`;
  writeFileSync(new URL(file, FOLDER), `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}
