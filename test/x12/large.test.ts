import { describe, expect, it } from 'vitest';
import { functionalAcknowledgments } from '../../src/platform/x12/acknowledge.ts';
import { judge } from '../../src/platform/x12/check.ts';
import { readBody } from '../../src/platform/x12/tokens.ts';
import { nearest, treeOf } from '../../src/platform/x12/tree.ts';
import { fileOf, isaWith, read } from './support.ts';

const LINES = 20_000;

/** Returns a ship notice with many items in one carton. */
function largeNotice(): string {
  const items = Array.from({ length: LINES }, (_, at) => [
    `HL*${at + 3}*2*I`,
    `LIN*${at + 1}*SK*A-${at + 1}`,
    'SN1**1*EA',
  ]);
  const body = ['BSN*00*LARGE1*20261124*0930', 'HL*1**S', 'HL*2*1*P', 'MAN*GM*000123456789012343', ...items.flat()];
  return fileOf({ sets: [{ body: [...body, `CTT*${LINES + 2}*${LINES}`] }] });
}

/** Runs work and counts the turns of the event loop that other work gets meanwhile. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  const result = await work();
  clearImmediate(timer);
  return { result, turns };
}

describe(`a set of ${LINES} lines`, () => {
  it('is read and judged without a finding, and others get turns meanwhile', async () => {
    const bytes = Buffer.from(largeNotice());
    const { result, turns } = await turnsDuring(async () => {
      const body = await readBody(bytes);
      if ('noEnvelope' in body) throw new Error(body.noEnvelope.message);
      return judge(body.interchanges[0]!);
    });
    expect(result.findings).toEqual([]);
    expect(result.groups[0]!.sets[0]).toMatchObject({ outcome: 'ACCEPTED', findingsTotal: 0 });
    expect(turns).toBeGreaterThan(1);
  });

  it('with an error in each line has 100 findings and a 997 of a like size', async () => {
    const [interchange] = await read(largeNotice().replaceAll('SN1**1*EA', 'SN1**x*EA'));
    const judged = await judge(interchange!);
    expect(judged.groups[0]!.sets[0]).toMatchObject({ outcome: 'REJECTED_SYNTAX', findingsTotal: '100+' });
    expect(functionalAcknowledgments(judged, '004010')[0]!.segments.length).toBeLessThan(210);
  });
});

describe('a ship notice with a deep hierarchy', () => {
  it('finds the loops above each item without a climb through all loops between them', async () => {
    const depth = 100_000;
    const chain = Array.from({ length: depth }, (_, at) => `HL*${at + 2}*${at + 1}*O`);
    const items = Array.from({ length: 20_000 }, (_, at) => `HL*${depth + 2 + at}*${depth + 1}*I`);
    const [interchange] = await read(
      fileOf({ sets: [{ body: ['BSN*00*DEEP*20261124*0930', 'HL*1**S', ...chain, ...items] }] }),
    );
    const group = interchange!.groups[0]!;
    const { nodes } = await treeOf(interchange!, group, group.sets[0]!);
    const begun = performance.now();
    expect(nodes.some((node) => nearest(node, 'T') !== undefined)).toBe(false);
    expect(nearest(nodes.at(-1)!, 'S')).toBe(nodes[0]);
    expect(nearest(nodes.at(-1)!, 'O')).toBe(nodes[depth]);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe('hostile files are read in linear time', () => {
  it.each([
    ['interchanges that are cut behind their ISA', (count: number) => fileOf().split('\n', 1)[0]!.repeat(count)],
    [
      'interchanges whose terminator is never there again',
      (count: number) =>
        Array.from(
          { length: count },
          (_, at) => fileOf().slice(0, 105) + String.fromCodePoint(0x4e00 + (at % 20_000)),
        ).join(''),
    ],
    [
      'groups with repeated numbers',
      (count: number) =>
        fileOf({
          sets: [],
          gs: Array.from({ length: count }, () => 'GS*SH*A*B*20261124*0930*1*X*004010').join('~'),
          ge: 'GE*0*1',
          iea: `IEA*${count}*000000905`,
        }),
    ],
    [
      'garbage that looks like an ISA',
      (count: number) => fileOf() + `ISA*00*${' '.repeat(10)}*00*${' '.repeat(10)}*`.repeat(count),
    ],
    ['one segment without an end', (count: number) => fileOf({ iea: undefined }) + 'A'.repeat(count * 30)],
    [
      'blank lines',
      (count: number) => fileOf({ isa: isaWith({ 14: '1' }) }).replace('GS*', `${'\n'.repeat(count * 30)}GS*`),
    ],
  ])(
    '%s',
    async (_, make) => {
      const body = await readBody(Buffer.from(make(20_000), 'utf8'));
      if ('noEnvelope' in body) throw new Error(body.noEnvelope.message);
      for (const interchange of body.interchanges.slice(0, 2)) await judge(interchange);
      expect(body.interchanges.length).toBeGreaterThan(0);
    },
    30_000,
  );
});
