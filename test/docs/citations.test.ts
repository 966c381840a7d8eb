import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { anchorsOf, problemsBelow, problemsOf } from '../../scripts/citations.ts';
import { ROOT } from './pages.ts';

/** A project with one page and two decisions. */
const root = mkdtempSync(join(tmpdir(), 'backroom-citations-'));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

write('docs/page.md', '# The page\n\n## Fields: what, and `why`\n\n## Again\n\n## Again\n\n```sh\n# no heading\n```\n');
write('docs/decisions/104-title.md', '# 104 Title\n');
write('docs/decisions/105-other.md', '# 105 Other\n');
afterAll(() => {
  rmSync(root, { recursive: true });
});

const complaints = (file: string, text: string): string[] =>
  problemsOf(root, file, text).map(({ line, text: cited, why }) => `${line} ${cited}: ${why}`);

const FOREIGN = 'cite a heading of a page of docs/, or docs/decisions/NNN';

describe('a citation', () => {
  it('of an existing page, heading or decision is valid, in code and in prose', () => {
    const code = `// docs/page.md#again-1\n/** (docs/page.md, docs/decisions/104) docs/decisions/105-other.md */`;
    expect(complaints('src/a.ts', code)).toEqual([]);
    expect(complaints('README.md', '[page](docs/page.md#fields-what-and-why)')).toEqual([]);
    expect(complaints('docs/page.md', '[up](#again) [site](https://example.org/x.md#y)')).toEqual([]);
  });

  it('of a missing page, heading or decision is reported with its line', () => {
    const code = `\n// docs/none.md\n// docs/page.md#none\n// docs/decisions/99 and docs/decisions/106`;
    expect(complaints('src/a.ts', code)).toEqual([
      '2 docs/none.md: no such file',
      '3 docs/page.md#none: no such heading',
      '4 docs/decisions/99: no such decision',
      '4 docs/decisions/106: no such decision',
    ]);
  });

  it.each([
    ['by a number alone', '(decision 31)'],
    ['by a number in the next line of a comment', ` * (decision\n * 31)`],
    ['by a letter of a table', '(decisions, table C)'],
    ['of several by numbers', 'decisions 27 and 28'],
    ['of a design', '(design 6, Values)'],
    ['of facts', '(facts 2.7)'],
    ['of an endpoint by number', '(interface, endpoint 7)'],
    ['of a page outside of the project', '../shared/rules.md'],
    ['with one full number and one short', '(docs/decisions/104, 105)'],
  ])('%s has no target', (_how, text) => {
    const found = problemsOf(root, 'src/a.ts', text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ why }) => why)).toContain(FOREIGN);
  });

  it('may have the number of a decision in a link to its page, and to no other page', () => {
    const link = (target: string) => complaints('docs/page.md', `[decision 104](decisions/${target})`);
    expect(link('104-title.md')).toEqual([]);
    expect(complaints('docs/page.md', 'see [decision\n104](decisions/104-title.md)')).toEqual([]);
    expect(link('105-other.md')).toEqual([`1 decision 104: ${FOREIGN}`]);
  });

  it('by a relative link is resolved from its page, except in code', () => {
    const page = '[a](../page.md#none) [b](104-title.md#104-title) `[c](none.md)`\n\n```md\n[d](none.md)\n```\n';
    expect(complaints('docs/decisions/105-other.md', page)).toEqual(['1 ../page.md#none: no such heading']);
  });
});

it('anchors follow the rule of GitHub: lower case, no punctuation, hyphens for spaces, a number for a repetition', () => {
  const page = '# A B\n## `GET /x_y` (200)\n## A B\n## [Linked](x.md) – dash\n```\n# code\n```\n';
  expect([...anchorsOf(page)]).toEqual(['a-b', 'get-x_y-200', 'a-b-1', 'linked--dash']);
});

it('every citation of the project has a heading or a decision as its target', () => {
  expect(problemsBelow(ROOT)).toEqual([]);
});
