/** `edi check`: checks an X12 file by the rules of the service, without the items of the client. */
import {
  functionalAcknowledgments,
  interchangeAcknowledgment,
  rejectedWithoutSets,
} from '../../platform/x12/acknowledge.ts';
import { type JudgedInterchange, type JudgedSet, judge, reject } from '../../platform/x12/check.ts';
import { type Finding, finding } from '../../platform/x12/findings.ts';
import { subjectOf } from '../../platform/x12/subject.ts';
import { type Identity, type Interchange, placeOf, readBody } from '../../platform/x12/tokens.ts';
import { type WriteFormat, type WrittenInterchange, writeInterchange } from '../../platform/x12/write.ts';
import { applicationAdvice } from '../edi/advice.ts';
import type { EdiProfilePart } from '../edi/partner-schema.ts';
import { explained, NOT_X12, readBytes, TAKEN_MAX, unreadable } from './edi-file.ts';
import { Lines } from './edi-lines.ts';
import { judgeMeaning, type Meant } from './edi-meaning.ts';
import { readProfile } from './edi-profile.ts';
import { type Acknowledgment, type Checked, findingsOf, outcomeOf, report } from './edi-report.ts';
import { Failed, type Io, print, printJson } from './io.ts';

/** Exit code: the file has errors. */
const HAS_ERRORS = 1;

const FORMAT: WriteFormat = {
  element: '*',
  component: '>',
  repetition: '^',
  segment: '~',
  newline: true,
  version: '004010',
};

/** Checks a file and prints the result. Throws `Failed` with the exit code if the file has errors. */
export async function check(io: Io, file: string, options: { partner?: string; json?: true }): Promise<void> {
  const profile = options.partner === undefined ? undefined : profileOf(io, options.partner);
  const bytes = await readBytes(io, file);
  const body = await readBody(bytes);
  const name = file === '-' ? 'standard input' : file;
  if ('noEnvelope' in body) {
    const lines = new Lines(bytes);
    const found = body.noEnvelope;
    if (options.json) printJson(io, { finding: { ...found, ...lines.placeOf(found.offset) } });
    else io.err.write(`${name} is not X12. ${explained(found)}\n`);
    throw new Failed('The file is not X12.', NOT_X12);
  }
  const checked: Checked[] = [];
  for (const interchange of body.interchanges) {
    checked.push(await checkOne(interchange, profile, options.json !== true, io.ports({ logLevel: 'silent' }).now()));
  }
  const lines = new Lines(bytes);
  if (options.json) {
    const { delimiters } = body.interchanges[0]!;
    printJson(io, { delimiters, interchanges: checked.map((one) => shown(one, lines)) });
  } else
    print(
      io,
      report(name, checked, {
        lines,
        hasColor: hasColor(io),
        hasProfile: profile !== undefined,
        isTooLarge: bytes.length > TAKEN_MAX,
      }),
    );
  const errors = checked.some(({ judged }) => findingsOf(judged).some(({ level }) => level === 'ERROR'));
  if (errors) throw new Failed('The file has errors.', HAS_ERRORS);
}

async function checkOne(
  interchange: Interchange,
  profile: EdiProfilePart | undefined,
  judgesAll: boolean,
  now: number,
): Promise<Checked> {
  const { strict = {}, take, versions } = profile ?? {};
  const agreed = { strict, ...(take && { take }), ...(versions && { versions }) };
  const judged = await judge(interchange, { ...agreed, judgesAll });
  const stranger = profile === undefined ? undefined : strangerFinding(interchange, profile);
  if (stranger !== undefined) {
    const { groups } = judged;
    return {
      judged: { ...reject(judged, stranger), groups: judgesAll ? groups : [] },
      status: 'QUARANTINED',
      acknowledgments: [],
      byRules: new Map(),
    };
  }
  const meant = await judgeMeaning(judged, profile ?? {});
  return { ...meant, status: statusOf(meant), acknowledgments: acknowledge(judged, meant.byRules, profile ?? {}, now) };
}

/** Returns a finding if the profile is for another partner. The service would quarantine such a file. */
function strangerFinding(interchange: Interchange, { ours, theirs, usage }: EdiProfilePart): Finding | undefined {
  const { sender, receiver, header } = interchange;
  const is = (one: Identity, other: Identity | undefined) =>
    other === undefined || (one.qualifier === other.qualifier && one.id === other.id);
  const wrong = !is(sender, theirs)
    ? 6
    : !is(receiver, ours)
      ? 8
      : usage === 'T' && interchange.usage === 'P'
        ? 15
        : undefined;
  if (wrong === undefined) return undefined;
  const expected = { 6: nameOf(theirs), 8: nameOf(ours), 15: 'T' }[wrong];
  const message = `The profile is for ${expected} in ISA${wrong === 15 ? '' : '0'}${wrong}`;
  const cure = 'Use the agreed ids and qualifiers, or check with the profile of this partner.';
  return finding('NO_PARTNER', { ...placeOf(interchange, header, wrong), message, cure });
}

function nameOf(identity: Identity | undefined): string {
  return `${identity?.qualifier} ${identity?.id}`;
}

/**
 * The status that the service would give the interchange: ACCEPTED, PARTLY, REJECTED or TESTED. Acknowledgments that
 * are agreed with the partner do not count.
 */
function statusOf({ judged: { interchange, rejected, groups }, byRules }: Pick<Checked, 'judged' | 'byRules'>): string {
  if (rejected) return 'REJECTED';
  if (interchange.usage !== 'P') return 'TESTED';
  const outcomes = groups
    .flatMap(({ sets }) => sets)
    .filter(({ set, findings }) => !isAcknowledgment(set.setId) || findings.some(({ code }) => code === 'UNKNOWN_SET'))
    .map((set) => outcomeOf(set, byRules));
  const accepted = outcomes.filter((outcome) => outcome === 'ACCEPTED').length;
  if (accepted === outcomes.length && rejectedWithoutSets({ groups }).length === 0) return 'ACCEPTED';
  return accepted === 0 ? 'REJECTED' : 'PARTLY';
}

function isAcknowledgment(setId: string): boolean {
  return setId === '997' || setId === '824';
}

/** Writes the TA1, the 997 and the 824s that the service would send to a new partner, with numbers from 1. */
function acknowledge(
  judged: JudgedInterchange,
  byRules: Meant['byRules'],
  profile: EdiProfilePart,
  now: number,
): Acknowledgment[] {
  const { interchange } = judged;
  const { answer, write, ours, theirs } = profile;
  const format = { ...FORMAT, ...write };
  const acknowledgments: Acknowledgment[] = [];
  const add = (setId: string, content: Pick<WrittenInterchange, 'groups' | 'acknowledgments'>) => {
    const controlNumber = acknowledgments.length + 1;
    const envelope = { sender: interchange.receiver, receiver: interchange.sender, at: new Date(now) };
    const usage = interchange.usage === 'P' ? 'P' : 'T';
    acknowledgments.push({
      setId,
      controlNumber: String(controlNumber).padStart(9, '0'),
      status: 'WAITING',
      content: writeInterchange({ ...envelope, usage, controlNumber, ...content }, format),
    });
  };
  const ta1 = interchangeAcknowledgment(judged, answer?.ta1 ?? 'ON_ERROR');
  if (ta1 !== undefined) add('TA1', { acknowledgments: [ta1] });
  if (judged.rejected) return acknowledgments;
  const groupIds = () => {
    const [, , theirGroup = '', ourGroup = ''] = interchange.groups[0]!.header.elements;
    return {
      sender: ours === undefined ? ourGroup : (ours.group ?? ours.id),
      receiver: theirs === undefined ? theirGroup : (theirs.group ?? theirs.id),
    };
  };
  const sets = answer?.ack === 'NONE' ? [] : functionalAcknowledgments(judged, format.version);
  let number = 0;
  if (sets.length > 0) add('997', { groups: [{ functionalId: 'FA', ...groupIds(), number: ++number, sets }] });
  for (const rejected of answer?.advice === false ? [] : byRules.values()) {
    const reference = String(acknowledgments.length + 1).padStart(9, '0');
    const advice = applicationAdvice(rejected, { reference, at: new Date(now), version: format.version });
    add('824', { groups: [{ functionalId: 'AG', ...groupIds(), number: ++number, sets: [advice] }] });
  }
  return acknowledgments;
}

/** Returns an interchange in the JSON form of a dry run. */
function shown({ judged, status, acknowledgments, byRules }: Checked, lines: Lines) {
  const { interchange, findings, findingsTotal, groups } = judged;
  const { usage, controlNumber, sender, receiver, content, start } = interchange;
  const placed = (list: readonly Finding[]) => list.map((one) => ({ ...one, ...lines.placeOf(start + one.offset) }));
  return {
    direction: 'IN',
    status,
    usage,
    controlNumber,
    sender,
    receiver,
    bytes: content.length,
    sets: groups.flatMap(({ group, sets }) =>
      sets.map((set) => ({ ...shownSet(group.number, set, placed), outcome: outcomeOf(set, byRules) })),
    ),
    findings: placed(findings),
    findingsTotal,
    answers: acknowledgments,
  };
}

function shownSet(
  group: string,
  { set, findings, findingsTotal }: JudgedSet,
  placed: (list: readonly Finding[]) => Finding[],
) {
  const { position, number, setId } = set;
  const own = { position, group, set: number, setId, ...subjectOf(set) };
  return { ...own, findings: placed(findings), findingsTotal, resources: [] };
}

function profileOf(io: Io, file: string): EdiProfilePart {
  try {
    return readProfile(file);
  } catch (error) {
    throw unreadable(io, file, error);
  }
}

/** Whether to print colors: only on a terminal that supports them. */
function hasColor({ out, env }: Io): boolean {
  return out.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}
