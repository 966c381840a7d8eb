/** Compares the size of the files that a browser loads for the console with the limits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Bar, screensOfConsole } from '../town/console/bars.ts';
import { buildConsole, type Chunk } from './console.ts';

const KB = 1_000;

/**
 * Returns the compressed sizes (gzip) of the shell, the largest screen and the styles, each with its limit. The unit is
 * kB of 1,000 bytes. The shell is the code of the home screen: the entry, the screen and the texts of the longest
 * language. The size of a screen includes the shell.
 */
export async function consoleSizes(): Promise<Bar[]> {
  const out = mkdtempSync(join(tmpdir(), 'backroom-console-'));
  try {
    const { chunks, styles } = await buildConsole(out);
    const shell = withImports(chunks, [entryOf(chunks), screenOf(chunks, 'floor/home.tsx'), textsOf(chunks, 'index')]);
    const screens = (await screensOfConsole()).map(({ load, hasShellTexts, isOffice, texts, pattern }) => {
      const source = /import\(['"]\.\/([^'"]+)/.exec(String(load))![1]!;
      const own = [screenOf(chunks, source)];
      if (hasShellTexts !== true) own.push(textsOf(chunks, 'floor'));
      if (isOffice === true) own.push(textsOf(chunks, 'office'));
      if (texts !== undefined) own.push(textsOf(chunks, texts));
      return { pattern, size: sizeOf(withImports(chunks, own, shell)) };
    });
    const largest = screens.reduce((most, one) => (one.size > most.size ? one : most));
    return [
      atMost(45, {
        name: 'scripts of the floor shell',
        value: sizeOf(shell) / KB,
        unit: 'kB',
        note: 'home screen, gzip',
      }),
      atMost(80, {
        name: 'scripts of a screen',
        value: largest.size / KB,
        unit: 'kB',
        note: `${largest.pattern}, gzip`,
      }),
      atMost(15, { name: 'styles', value: styles / KB, unit: 'kB', note: 'gzip' }),
    ];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function entryOf(chunks: readonly Chunk[]): Chunk {
  return chunks.find(({ isEntry }) => isEntry)!;
}

function screenOf(chunks: readonly Chunk[], source: string): Chunk {
  const found = chunks.find((chunk) => chunk.source === source);
  if (found === undefined) throw new Error(`no script of the bundle is made of console/${source}`);
  return found;
}

/** Returns the largest of the scripts with the texts `name`. There is one script for each language. */
function textsOf(chunks: readonly Chunk[], name: string): Chunk {
  const all = chunks.filter(({ source = '' }) => new RegExp(`^texts/[a-z]{2}/${name}\\.ts$`).test(source));
  return all.reduce((most, one) => (one.gzip > most.gzip ? one : most));
}

/** Returns the loaded scripts `there`, together with the wanted scripts and all of their imports. */
function withImports(chunks: readonly Chunk[], wanted: readonly Chunk[], there: Iterable<Chunk> = []): Set<Chunk> {
  const byFile = new Map(chunks.map((chunk) => [chunk.file, chunk]));
  const found = new Set(there);
  const add = (chunk: Chunk) => {
    if (found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(byFile.get(file)!);
  };
  wanted.forEach(add);
  return found;
}

function sizeOf(chunks: Iterable<Chunk>): number {
  return [...chunks].reduce((sum, { gzip }) => sum + gzip, 0);
}
