/**
 * Reads Backroom's X12 files with two independent parsers: the library node-x12 and Debian's X12::Parser (package
 * libx12-parser-perl). Comments mark their known differences.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { X12Interchange, X12Parser } from 'node-x12';

/** Splits an interchange into its segments, and each segment into its elements. */
function segmentsIn(content: string): string[][] {
  const [element = '', terminator = ''] = [content[3], content[105]];
  return content
    .split(terminator)
    .map((text) => text.replace(/^[\r\n]+/, '').split(element))
    .filter(([id]) => id !== '');
}

/** Returns the segments that node-x12 reads differently. */
export function differencesOfNodeX12(content: string): string[] {
  // Known difference: in strict mode node-x12 accepts a TA1 only inside a group, but X12 has TA1 segments outside of
  // groups.
  const isStrict = !segmentsIn(content).some(([id]) => id === 'TA1');
  const parsed = new X12Parser(isStrict).parse(content);
  if (!(parsed instanceof X12Interchange)) return ['node-x12 finds no interchange'];
  const read: string[][] = [];
  const add = (segment: { tag: string; elements: { value: string }[] } | undefined) => {
    if (segment !== undefined) read.push([segment.tag, ...segment.elements.map(({ value }) => value)]);
  };
  add(parsed.header);
  for (const group of parsed.functionalGroups) {
    add(group.header);
    for (const set of group.transactions) {
      add(set.header);
      for (const segment of set.segments) add(segment);
      add(set.trailer);
    }
    add(group.trailer);
  }
  add(parsed.trailer);
  const known = (all: readonly string[][]) =>
    all
      // Known difference: node-x12 drops a TA1.
      .filter(([id]) => id !== 'TA1')
      .map((elements) => elements.map((value, at) => normal(elements[0]!, at, value)).join('*'));
  const [expected, found] = [known(segmentsIn(content)), known(read)];
  return expected.flatMap((line, at) =>
    found[at] === line ? [] : [`node-x12 reads ${found[at] ?? 'nothing'} for ${line}`],
  );
}

/**
 * Removes the parts that node-x12 drops (known differences): the leading zeros of ISA13 and IEA02, and the blanks of
 * the ISA.
 */
function normal(id: string, at: number, value: string): string {
  const plain = value.trim();
  return (id === 'ISA' && at === 13) || (id === 'IEA' && at === 2) ? plain.replace(/^0+(?=.)/, '') : plain;
}

const PROGRAM = fileURLToPath(new URL('./read.pl', import.meta.url));

/** Returns the reason why X12::Parser cannot run on this machine; undefined if it can. */
export function whyNoPerl(): string | undefined {
  try {
    execFileSync('perl', ['-MX12::Parser', '-e', '1'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'X12::Parser of Perl is missing (Debian: libx12-parser-perl)';
  }
}

/**
 * Returns the segments of the contents that X12::Parser reads differently. Each content must have at least 108 bytes.
 */
export function differencesOfPerl(contents: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-x12-'));
  try {
    const files = contents.map((content, at) => {
      const file = join(folder, `${at}.x12`);
      // Known difference: X12::Parser treats a line feed as a part of the terminator only if it follows every segment.
      writeFileSync(file, content, 'latin1');
      return file;
    });
    const told = execFileSync('perl', [PROGRAM, ...files], { encoding: 'latin1', maxBuffer: 1 << 28 });
    const read = told.split('\x00FILE\n').slice(1);
    return contents.flatMap((content, at) => {
      const expected = segmentsIn(content).map((elements) => elements.join(content[3]));
      // Known difference: X12::Parser cannot find the loops of sets for which it has no table, so each segment is
      // compared separately.
      const found = (read[at] ?? '').split('\x00').filter((line) => line !== '');
      return expected.flatMap((line, index) => {
        return found[index] === line ? [] : [`X12::Parser reads ${found[index] ?? 'nothing'} for ${line}`];
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
