import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages } from './pages.ts';
import { walk } from './walk.ts';

/** Pages whose commands build on each other, with the command that prepares the start of the page. */
const WALKS: readonly (readonly [name: string, before: string])[] = [
  ['docs/tutorial.md', ''],
  ['docs/how-to/back-up-and-restore.md', ''],
  ['docs/how-to/check-an-edi-file.md', ''],
  ['docs/how-to/import-a-catalog.md', ''],
  ['docs/how-to/import-deliveries-and-stock.md', ''],
  ['docs/how-to/run-behind-a-proxy.md', ''],
  ['docs/how-to/run-with-npm.md', ''],
  ['docs/how-to/upgrade.md', 'export DATABASE_URL=sqlite:shop.db; backroom key create --operator > operator-key.txt'],
];

/** Pages whose commands need a running program, with the test that starts it. */
const SERVED: Readonly<Record<string, string>> = {
  'docs/how-to/connect-a-carrier.md': 'test/packing/label.test.ts',
  'docs/how-to/connect-a-supplier-by-edi.md': 'test/edi/sftp.test.ts',
};

describe('a page with consecutive commands', () => {
  it.each(WALKS)(
    '%s works as written, line by line',
    async (name, before) => {
      const { blocks, code, errors } = await walk(name, before);
      expect(code, errors).toBe(0);
      expect(blocks.length).toBeGreaterThan(0);
      for (const { script, expected, output } of blocks) {
        for (const line of expected) expect(output, script).toContain(line);
      }
    },
    120_000,
  );
});

it('every command of the tutorial and the how-to pages is run by a test', () => {
  const practical = pages.filter(({ name }) => name === 'docs/tutorial.md' || name.startsWith('docs/how-to/'));
  expect(practical.length).toBeGreaterThanOrEqual(8);
  const withCommands = practical.filter(({ text }) => /^```sh\n/m.test(text)).map(({ name }) => name);
  expect(withCommands.toSorted()).toEqual([...WALKS.map(([name]) => name), ...Object.keys(SERVED)].toSorted());
  for (const [page, test] of Object.entries(SERVED)) expect(readFileSync(test, 'utf8')).toContain(page);
});
