/** The prose of sources and pages uses the words of docs/style.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Found, wordsInPage, wordsInSource } from '../../town/words.ts';
import { pages, ROOT } from './pages.ts';

/** Folders of the project, each with all sources below it except those in `EXCEPT`. */
const ROOMS = ['bench', 'console', 'examples', 'proof', 'scripts', 'src', 'test', 'town'];
/**
 * Files that this test does not check. The samples of this file contain the wrong words. The texts of the console are
 * not documentation, and the tests of the console quote these texts.
 */
const EXCEPT: readonly string[] = ['test/docs/words.test.ts', 'console/texts', 'test/console'];
/** The page that lists the words. */
const STYLE = 'docs/style.md';

/** The changelog of release 0.2.0 and of earlier releases, which this test does not check. */
const OLDER_RELEASES = /^## 0\.2\.0$[\s\S]*/m;

function sourcesOf(room: string): string[] {
  return readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name))
    .filter((name) => !EXCEPT.some((one) => name === one || name.startsWith(`${one}/`)));
}

const shown = (name: string, found: readonly Found[]) =>
  found.map(({ line, word, instead }) => `${name}:${line}: "${word}", write ${instead}`);

describe('prose', () => {
  it.each(ROOMS)('of %s has the words of docs/style.md', (room) => {
    const sources = sourcesOf(room);
    expect(sources).not.toEqual([]);
    expect(sources.flatMap((name) => shown(name, wordsInSource(name, readFileSync(join(ROOT, name), 'utf8'))))).toEqual(
      [],
    );
  });

  it.each(pages.filter(({ name }) => name !== STYLE))('of $name has the words of docs/style.md', ({ name, text }) => {
    expect(shown(name, wordsInPage(text.replace(OLDER_RELEASES, '')))).toEqual([]);
  });
});

describe('the search for words', () => {
  const source = [
    '/** Nobody answers. */',
    `const members = ['refused', 'is refused here', \`the \${1} stands in it\`];`,
    '// The state REFUSED, the field `refused`, a standby. @throws Refusal 409',
    'function reply() {',
    '  // Mend it.',
    '}',
  ].join('\n');

  it('finds them in comments and in texts of several words, not in names', () => {
    expect(wordsInSource('a.ts', source).map(({ line, word }) => `${line} ${word}`)).toEqual([
      '1 Nobody',
      '1 answers',
      '2 refused',
      '2 stands',
      '5 Mend',
    ]);
  });

  it('accepts a fault only in the campaign `faults`', () => {
    const found = (name: string) => wordsInSource(name, '// A fault, with an answer.').map(({ word }) => word);
    expect([found('proof/faults/stage.ts'), found('proof/stall.ts')]).toEqual([['answer'], ['fault', 'answer']]);
  });

  it('finds them in a page outside of code', () => {
    const page = 'A reply.\n\n```sh\nanswer\n```\n\n[a page](faults.md) of `members`, whoever reads it';
    expect(wordsInPage(page).map(({ line, word }) => `${line} ${word}`)).toEqual(['1 reply', '7 whoever']);
  });
});
