import { describe, expect, it } from 'vitest';
import { type HlNode, nearest, treeOf } from '../../src/platform/x12/tree.ts';
import { brief, fileOf, noticeWith, read, SHIP_NOTICE } from './support.ts';

async function treeOfBody(body: readonly string[]) {
  const [interchange] = await read(fileOf({ sets: [{ body }] }));
  const group = interchange!.groups[0]!;
  return treeOf(interchange!, group, group.sets[0]!);
}

/** Returns nested loops as text: `S1(O2(P3(I4)))`. */
function drawn(nodes: readonly HlNode[]): string {
  return nodes
    .map(({ level, id, children }) => `${level}${id}${children.length > 0 ? `(${drawn(children)})` : ''}`)
    .join(' ');
}

/** Returns a set with only these HL segments. */
const levels = (structure: string, ...hl: string[]) => [
  `BSN*00*S1*20261124*0930*${structure}`,
  ...hl.map((one) => `HL*${one}`),
];

describe('the HL tree', () => {
  it.each([
    [
      'S-O-P-I',
      levels('0001', '1**S', '2*1*O', '3*2*P', '4*3*I', '5*3*I', '6*2*P', '7*6*I'),
      'S1(O2(P3(I4 I5) P6(I7)))',
      [],
    ],
    ['S-O-I-P', levels('0002', '1**S', '2*1*O', '3*2*I', '4*3*P'), 'S1(O2(I3(P4)))', []],
    ['S-O-T-P-I', levels('0001', '1**S', '2*1*O', '3*2*T', '4*3*P', '5*4*I'), 'S1(O2(T3(P4(I5))))', []],
    ['S-I', levels('0001', '1**S', '2*1*I', '3*1*I'), 'S1(I2 I3)', []],
    ['S-O-I', levels('0004', '1**S', '2*1*O', '3*2*I'), 'S1(O2(I3))', []],
    [
      'without parents',
      levels('0001', '1**S', '2**O', '3**P', '4**I', '5**I', '6**O', '7**I'),
      'S1(O2(P3(I4 I5)) O6(I7))',
      ['2', '3', '4', '5', '6', '7'],
    ],
    [
      'without parents, item above carton',
      levels('0002', '1**S', '2**O', '3**I', '4**P', '5**I', '6**P'),
      'S1(O2(I3(P4) I5(P6)))',
      ['2', '3', '4', '5', '6'],
    ],
    ['a parent that is not there', levels('0001', '1**S', '2*9*O', '3*2*I'), 'S1(O2(I3))', ['2']],
    ['a parent that comes later', levels('0001', '1**S', '2*3*O', '3*1*O'), 'S1(O2 O3)', ['2']],
    ['its own parent', levels('0001', '1**S', '2*2*O'), 'S1(O2)', ['2']],
    ['a parent of a lower rank is taken as sent', levels('0001', '1**S', '2*1*I', '3*2*O'), 'S1(I2(O3))', []],
    ['nothing of a higher rank', levels('0001', '1**I', '2*5*S'), 'I1 S2', ['2']],
    ['two shipments', levels('0001', '1**S', '2*1*O', '3**S', '4**I'), 'S1(O2) S3(I4)', ['4']],
    [
      'an order below the latest pallet, and items below it',
      levels('0001', '1**S', '2*1*T', '3**P', '4**O', '5**I'),
      'S1(T2(P3) O4(I5))',
      ['3', '4', '5'],
    ],
  ])('%s', async (_, body, shape, noted) => {
    const tree = await treeOfBody(body);
    expect(drawn(tree.roots)).toBe(shape);
    expect(tree.findings.map(({ code, level }) => `${level} ${code}`)).toEqual(noted.map(() => 'NOTE HL_PARENT'));
    expect(tree.findings.map(({ position }) => String(position! - 2))).toEqual(noted);
  });

  it('an unknown level is passed through, with a note', async () => {
    const tree = await treeOfBody(levels('0001', '1**S', '2*1*O', '3*2*Q', '4*3*I', '5**Z'));
    expect(drawn(tree.roots)).toBe('S1(O2(Q3(I4(Z5))))');
    expect(brief(tree.findings)).toEqual(['NOTE HL_LEVEL 5 HL03', 'NOTE HL_LEVEL 7 HL03', 'NOTE HL_PARENT 7 HL02']);
  });

  it('a repeated number is an error; the latest loop has the children', async () => {
    const tree = await treeOfBody(levels('0001', '1**S', '2*1*O', '2*1*O', '3*2*I'));
    expect(drawn(tree.roots)).toBe('S1(O2 O2(I3))');
    expect(brief(tree.findings)).toEqual(['ERROR HL_REPEATED 5 HL01']);
  });

  it('has the segments of each loop, those before the first, and those from CTT on', async () => {
    const body = noticeWith({ BSN: `${SHIP_NOTICE[0]!}~DTM*011*20261124` });
    const { header, nodes, summary } = await treeOfBody(body);
    const ids = (segments: readonly { id: string }[]) => segments.map(({ id }) => id).join(' ');
    expect(ids(header)).toBe('ST BSN DTM');
    expect(nodes.map(({ segments }) => ids(segments))).toEqual([
      'HL TD5 TD3 REF DTM N1',
      'HL PRF',
      'HL MAN',
      'HL LIN SN1',
    ]);
    expect(ids(summary)).toBe('CTT SE');
  });

  it('finds the nearest loop of a level above a node', async () => {
    const { nodes } = await treeOfBody(SHIP_NOTICE);
    const item = nodes.at(-1)!;
    expect(nearest(item, 'I')).toBe(item);
    expect(nearest(item, 'P')?.id).toBe('3');
    expect(nearest(item, 'S')?.id).toBe('1');
    expect(nearest(item, 'T')).toBeUndefined();
  });
});
