/** The results of the syntax checks of a file, in the form of the JSON files in test/edi/files. */
import {
  functionalAcknowledgments,
  interchangeAcknowledgment,
  readFunctionalAcknowledgment,
  readInterchangeAcknowledgment,
} from '../../src/platform/x12/acknowledge.ts';
import { type CheckOptions, type JudgedInterchange, type JudgedSet, judge } from '../../src/platform/x12/check.ts';
import { type Finding, joined } from '../../src/platform/x12/findings.ts';
import { subjectOf } from '../../src/platform/x12/subject.ts';
import { type Interchange, readBody } from '../../src/platform/x12/tokens.ts';
import type { HlNode } from '../../src/platform/x12/tree.ts';
import { type WrittenInterchange, writeInterchange } from '../../src/platform/x12/write.ts';
import { FORMAT } from './support.ts';

/**
 * A strict partner: it accepts only ship notices of 004010 and 003060. Wrong counts and control numbers are notes; all
 * other deviations are errors.
 */
const STRICT: CheckOptions = {
  take: ['856'],
  versions: ['004010', '003060'],
  strict: {
    segmentCount: 'NOTE',
    controlNumbers: 'NOTE',
    isaWidths: 'ERROR',
    unknownSegments: 'ERROR',
    checkDigits: 'ERROR',
    hashTotal: 'ERROR',
  },
};

/** Returns all results of the syntax checks of a file. */
export async function seenOf(bytes: Uint8Array): Promise<object> {
  const body = await readBody(bytes);
  if ('noEnvelope' in body) return body;
  const interchanges = [];
  for (const interchange of body.interchanges) interchanges.push(await seenOfOne(interchange));
  return { interchanges };
}

async function seenOfOne(interchange: Interchange) {
  const { content, start, delimiters, sender, receiver, controlNumber, usage, trailing, acknowledgments } = interchange;
  const [judged, whole, strict] = [
    await judge(interchange),
    await judge(interchange, { judgesAll: true }),
    await judge(interchange, { ...STRICT, judgesAll: true }),
  ];
  return {
    start,
    bytes: content.length,
    delimiters,
    sender,
    receiver,
    controlNumber,
    usage,
    ...(trailing !== '' && { trailing }),
    acknowledgments: acknowledgments.map(readInterchangeAcknowledgment),
    ...outcomeOf(whole),
    rejected: judged.rejected,
    groupsOfRejected: judged.groups.length,
    strict: strict.groups.flatMap(({ sets }) => sets.map(briefOf)).concat(strict.findings.map(inShort)),
    ...answersTo(judged),
  };
}

function outcomeOf({ findings, findingsTotal, groups }: JudgedInterchange) {
  return {
    findings,
    findingsTotal,
    groups: groups.map(({ group, rejected, findings: ofGroup, sets }) => ({
      functionalId: group.functionalId,
      number: group.number,
      version: group.version,
      rejected,
      findings: ofGroup.length,
      sets: sets.map(seenOfSet),
    })),
    joined: joined({ findings, findingsTotal }, { findings: [], findingsTotal: 0 }).findingsTotal,
  };
}

function seenOfSet({ set, outcome, findings, findingsTotal, tree }: JudgedSet) {
  return {
    position: set.position,
    setId: set.setId,
    number: set.number,
    ...subjectOf(set),
    segments: set.segments.length,
    outcome,
    findings,
    findingsTotal,
    ...(tree !== undefined && {
      header: tree.header.length,
      hierarchy: tree.roots.flatMap((root) => branches(root, '')),
      summary: tree.summary.map(({ id }) => id),
    }),
    ...(set.setId === '997' && { says: readFunctionalAcknowledgment(set) }),
  };
}

function branches({ id, level, children, segments }: HlNode, before: string): string[] {
  const own = `${before}${level} ${id}: ${segments.map((segment) => segment.elements.join('*')).join(' ')}`;
  return [own, ...children.flatMap((child) => branches(child, `${before}  `))];
}

function briefOf({ set, outcome, findings }: JudgedSet): string {
  return `${set.setId} ${outcome}: ${findings.map(inShort).join(', ')}`;
}

function inShort({ level, code, segment = '', element }: Finding): string {
  return `${level} ${code} ${segment}${element ?? ''}`;
}

const ENDS = {
  sender: { qualifier: '12', id: '4085551234' },
  receiver: { qualifier: 'ZZ', id: 'GREENVALLEY' },
  controlNumber: 1,
  usage: 'P',
  at: new Date('2026-11-24T09:31:00Z'),
} as const;

/** Returns the acknowledgments as sent: in version 004010, and the 997 also in version 005010. */
function answersTo(judged: JudgedInterchange) {
  const write = (more: Partial<WrittenInterchange>, version = '004010') =>
    writeInterchange({ ...ENDS, ...more }, { ...FORMAT, version }).split('\n');
  const in997 = (version: string) => {
    const sets = functionalAcknowledgments(judged, version);
    const group = { functionalId: 'FA', sender: 'US', receiver: 'THEM', number: 1, sets };
    return sets.length === 0 ? [] : write({ groups: [group] }, version);
  };
  const ta1 = (['ON_ERROR', 'ALWAYS', 'NEVER'] as const).map((policy) => interchangeAcknowledgment(judged, policy));
  const [onError, always, never] = ta1.map((one) =>
    one === undefined ? undefined : write({ acknowledgments: [one] })[1],
  );
  return { ack: in997('004010'), later: in997('005010').slice(3), ta1: { onError, always, never } };
}
