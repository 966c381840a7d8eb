/** docs/edi.md matches the program. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { interchangeAcknowledgment } from '../../src/platform/x12/acknowledge.ts';
import { STRICT } from '../../src/platform/x12/check.ts';
import { CODES, codesOf, type FindingCode } from '../../src/platform/x12/findings.ts';
import { FUNCTIONAL_IDS } from '../../src/platform/x12/write.ts';
import { add } from '../../src/service/cli/edi.ts';
import { DECIDED_BY } from '../../src/service/cli/edi-meaning.ts';
import { readProfile } from '../../src/service/cli/edi-profile.ts';
import { perform } from '../cli/in-process.ts';
import { fileOf, ISA, isaWith, judgeFile } from '../x12/support.ts';
import { ROOT } from './pages.ts';

const page = readFileSync(join(ROOT, 'docs/edi.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'backroom-edi-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the rows of the first table after a text. */
function rowsAfter(text: string): string[][] {
  const lines = page.slice(page.indexOf(text)).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|---'));
  const rows = lines.slice(first + 1);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const block = (kind: string) => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!;

describe('docs/edi.md', () => {
  it('has every code of a finding, and how it goes back', () => {
    const expected = Object.keys(CODES).map((code) => {
      const { ta1, group, set, segment, element, advice } = codesOf(code as FindingCode);
      const sent = { TA105: ta1, AK905: group, AK502: set, AK304: segment, AK403: element, TED01: advice };
      const told = Object.entries(sent).filter(([, value]) => value !== undefined);
      return [`\`${code}\``, told.map((pair) => pair.join(' ')).join(', ')];
    });
    const rows = rowsAfter('<!-- findings');
    expect(rows.map(([code, sent]) => [code, sent])).toEqual(expected);
    for (const [code, , meaning] of rows) expect(meaning, code).toMatch(/\.$/);
  });

  it('has the TA105 of a wrong value in each element of the ISA', async () => {
    const names = page.slice(page.indexOf('<!-- isa values')).split('\n')[2]!.slice(1, -1).split('|');
    const [codes = []] = rowsAfter('<!-- isa values');
    const told = Object.fromEntries(names.map((name, at) => [name.trim(), codes[at]]));
    const sent: Record<string, string | undefined> = {};
    for (const element of ISA.keys()) {
      const wrong = element === 15 ? 'A' : `\x01${ISA[element]!.slice(1)}`;
      const judged = await judgeFile(fileOf({ isa: isaWith({ [element + 1]: wrong }), iea: 'IEA*1*000000905' }));
      const name = `${element === 15 ? 'separator ' : ''}ISA${String(element + 1).padStart(2, '0')}`;
      // ISA11 may be any character, because it has no meaning before version 00402.
      if (element !== 10) sent[name] = interchangeAcknowledgment(judged, 'ALWAYS')?.[5];
    }
    expect(told).toEqual(sent);
  });

  it('has the findings that depend on a field of the profile', () => {
    const told = rowsAfter('<!-- edi check: compared').flatMap(([field, codes]) =>
      codes!.split(', ').map((code) => [code.replaceAll('`', ''), field!.replaceAll('`', '')]),
    );
    expect(Object.fromEntries(told)).toEqual(DECIDED_BY);
  });

  it('has the sets with their groups', () => {
    expect(Object.fromEntries(rowsAfter('## The file').map(([set, , group]) => [set, group]))).toEqual(FUNCTIONAL_IDS);
  });

  it('names codes of the program only', () => {
    const named = [...page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => code);
    const others = named.filter((code) => !Object.hasOwn(CODES, code!));
    expect(new Set(others)).toEqual(new Set(['ON_ERROR', 'REJECTED_RULES']));
  });

  it('shows what edi check prints for its file', async () => {
    const file = join(folder, 'ship-notice.x12');
    writeFileSync(file, block('x12'));
    const { code, out } = await perform(add, {}, ['edi', 'check', file], {
      now: () => Date.parse('2026-11-24T12:00:00Z'),
    });
    expect(code).toBe(1);
    expect(block('text')).toBe(out.replace(file, 'ship-notice.x12'));
  });

  it('shows a profile that is read, with the default levels', () => {
    const file = join(folder, 'partner.json');
    writeFileSync(file, block('json'));
    expect(readProfile(file)).toEqual(JSON.parse(block('json')));
    expect(readProfile(file).strict).toEqual(STRICT);
  });
});
