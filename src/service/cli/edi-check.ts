/** `edi check`: judges a file as the service would, without its catalog. */
import { readFileSync } from 'node:fs';
import { functionalAcknowledgments, interchangeAcknowledgment } from '../../platform/x12/acknowledge.ts';
import { type JudgedInterchange, type JudgedSet, judge, reject } from '../../platform/x12/check.ts';
import { type Finding, finding } from '../../platform/x12/findings.ts';
import { subjectOf } from '../../platform/x12/subject.ts';
import { type Identity, type Interchange, placeOf, readBody } from '../../platform/x12/tokens.ts';
import { type WriteFormat, type WrittenInterchange, writeInterchange } from '../../platform/x12/write.ts';
import { Lines } from './edi-lines.ts';
import { type Profile, readProfile } from './edi-profile.ts';
import { type Acknowledgment, type Checked, findingsOf, report } from './edi-report.ts';
import { Failed, type Io, print, printJson } from './io.ts';

/** Exit codes: the file has errors; it is no X12 or cannot be read. */
const HAS_ERRORS = 1;
const NOT_X12 = 2;

const FORMAT: WriteFormat = {
  element: '*',
  component: '>',
  repetition: '^',
  segment: '~',
  newline: true,
  version: '004010',
};

/** Checks a file and prints the result. Throws `Failed` with the exit code if it has errors. */
export async function check(io: Io, file: string, options: { partner?: string; json?: true }): Promise<void> {
  const profile = options.partner === undefined ? undefined : profileOf(io, options.partner);
  const bytes = readBytes(io, file);
  const body = await readBody(bytes);
  if ('noEnvelope' in body) {
    const lines = new Lines(bytes);
    if (options.json) printJson(io, { finding: { ...body.noEnvelope, ...lines.placeOf(body.noEnvelope.offset) } });
    else io.err.write(`${file} is not X12: ${whatItIs(body.noEnvelope)}\n`);
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
  } else print(io, report(file, checked, { lines, hasColor: hasColor(io), hasProfile: profile !== undefined }));
  const errors = checked.some(({ judged }) => findingsOf(judged).some(({ level }) => level === 'ERROR'));
  if (errors) throw new Failed('The file has errors.', HAS_ERRORS);
}

async function checkOne(
  interchange: Interchange,
  profile: Profile | undefined,
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
    };
  }
  return { judged, status: statusOf(judged), acknowledgments: acknowledge(judged, profile ?? {}, now) };
}

/** A finding if the profile is of another partner: then the service would put the file aside. */
function strangerFinding(interchange: Interchange, { ours, theirs, usage }: Profile): Finding | undefined {
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

/** ACCEPTED, PARTLY, REJECTED or TESTED, as the service would decide. Acknowledgments do not count. */
function statusOf({ interchange, rejected, groups }: JudgedInterchange): string {
  if (rejected) return 'REJECTED';
  if (interchange.usage !== 'P') return 'TESTED';
  const counted = groups.flatMap(({ sets }) => sets).filter(({ set }) => set.setId !== '997' && set.setId !== '824');
  const refused = counted.filter(({ outcome }) => outcome !== 'ACCEPTED').length;
  if (refused === 0) return 'ACCEPTED';
  return refused === counted.length ? 'REJECTED' : 'PARTLY';
}

/** The TA1 and the 997 that the service would send, with the numbers of a new partner. */
function acknowledge(judged: JudgedInterchange, profile: Profile, now: number): Acknowledgment[] {
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
  const sets = answer?.ack === 'NONE' ? [] : functionalAcknowledgments(judged, format.version);
  if (sets.length > 0) {
    const [, , theirGroup = '', ourGroup = ''] = interchange.groups[0]!.header.elements;
    const sender = ours === undefined ? ourGroup : (ours.group ?? ours.id);
    const receiver = theirs === undefined ? theirGroup : (theirs.group ?? theirs.id);
    add('997', { groups: [{ functionalId: 'FA', sender, receiver, number: 1, sets }] });
  }
  return acknowledgments;
}

/** An interchange in JSON, as a dry run shows it. */
function shown({ judged, status, acknowledgments }: Checked, lines: Lines) {
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
    sets: groups.flatMap(({ group, sets }) => sets.map((set) => shownSet(group.number, set, placed))),
    findings: placed(findings),
    findingsTotal,
    answers: acknowledgments,
  };
}

function shownSet(
  group: string,
  { set, outcome, findings, findingsTotal }: JudgedSet,
  placed: (list: readonly Finding[]) => Finding[],
) {
  const { position, number, setId } = set;
  const own = { position, group, set: number, setId, ...subjectOf(set), outcome };
  return { ...own, findings: placed(findings), findingsTotal, resources: [] };
}

function readBytes(io: Io, file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw unreadable(io, file, error);
  }
}

function profileOf(io: Io, file: string): Profile {
  try {
    return readProfile(file);
  } catch (error) {
    throw unreadable(io, file, error);
  }
}

function unreadable(io: Io, file: string, error: unknown): Failed {
  io.err.write(`backroom: cannot read ${file}: ${(error as Error).message}\n`);
  return new Failed('The file cannot be read.', NOT_X12);
}

/** Says what a file without ISA is, where its first bytes tell it. */
function whatItIs({ message, raw }: Finding): string {
  const kind = /^(?:UNA|UNB)/.test(raw)
    ? 'It looks like EDIFACT, which is not read.'
    : /^[[{]/.test(raw)
      ? 'It looks like JSON.'
      : raw.startsWith('<')
        ? 'It looks like XML.'
        : raw.includes('\\x00')
          ? 'It looks like UTF-16 or binary data; save it as plain text (ASCII or UTF-8).'
          : /^(?:GS|ST)[^A-Za-z0-9\s]/.test(raw)
            ? 'Its ISA segment is missing; send the file with its envelope.'
            : 'Begin the file with an ISA segment of 16 elements.';
  return `${message}. ${kind}${raw === '' ? '' : `\n  ${raw}\n  ^`}`;
}

/** Colors only on a terminal that shows them. */
function hasColor({ out, env }: Io): boolean {
  return out.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}
