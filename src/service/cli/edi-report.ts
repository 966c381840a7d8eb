/** The report of `edi check` for people. */
import { styleText } from 'node:util';
import type { JudgedInterchange, JudgedSet } from '../../platform/x12/check.ts';
import { elementName, type Finding, shown } from '../../platform/x12/findings.ts';
import { subjectOf } from '../../platform/x12/subject.ts';
import { type Interchange, rawOf, type Segment, type TransactionSet } from '../../platform/x12/tokens.ts';
import type { HlNode } from '../../platform/x12/tree.ts';
import { textOf } from '../../platform/x12/values.ts';
import type { Lines } from './edi-lines.ts';
import type { Meant } from './edi-meaning.ts';

/** An acknowledgment that the service would send. */
export interface Acknowledgment {
  setId: string;
  controlNumber: string;
  status: 'WAITING';
  content: string;
}

/** A checked interchange with its acknowledgments. */
export interface Checked {
  judged: JudgedInterchange;
  status: string;
  acknowledgments: Acknowledgment[];
  byRules: Meant['byRules'];
}

/** Returns the outcome of a set after the checks of its syntax and of the rules. */
export function outcomeOf({ set, outcome }: JudgedSet, byRules: Meant['byRules']): string {
  return byRules.has(set.position) ? 'REJECTED_RULES' : outcome;
}

interface View {
  lines: Lines;
  hasColor: boolean;
  hasProfile: boolean;
  /** Whether the file is larger than the service accepts. */
  isTooLarge: boolean;
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Maximum number of lines that show the structure of a set, and maximum number of printed findings of a file. */
const MOST_LINES = 40;
const MOST_FINDINGS = 40;
/**
 * Maximum number of characters of a segment that are shown from the first wrong byte on. Before this byte, at most half
 * as many are shown.
 */
const WINDOW = 100;

const NAMES: Readonly<Record<string, string>> = {
  '856': 'ship notice',
  '850': 'purchase order',
  '860': 'purchase order change',
  '861': 'receiving advice',
  '824': 'application advice',
  '997': 'functional acknowledgment',
};

/** Returns the report of a file: delimiters, structure, findings, acknowledgments, and what to do next. */
export function report(
  file: string,
  checked: readonly Checked[],
  { lines, hasColor, hasProfile, isTooLarge }: View,
): string {
  const paint: Paint = (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text);
  const findings = checked.flatMap((one) => findingsOf(one.judged).map((found) => ({ found, ...one })));
  const errors = findings.filter(({ found }) => found.level === 'ERROR').length;
  return [
    `${file}: ${counted(checked.length, 'interchange')}, ${counted(lines.count, 'line')}`,
    ...checked.flatMap((one) => structure(one, paint)),
    ...(findings.length === 0 ? [] : ['', paint('bold', 'Findings')]),
    ...findings
      .slice(0, MOST_FINDINGS)
      .flatMap(({ found, judged }) => explain(found, judged.interchange, lines, paint)),
    ...(findings.length > MOST_FINDINGS
      ? ['', `  ... and ${findings.length - MOST_FINDINGS} more; --json prints them.`]
      : []),
    ...checked.flatMap(({ acknowledgments }) => acknowledgments.flatMap((one) => answer(one, paint))),
    '',
    summary(errors, findings.length - errors, paint),
    ...(isTooLarge ? ['The file has more than 8 MiB, the default limit of the service.'] : []),
    ...next(errors, hasProfile, checked),
  ].join('\n');
}

function summary(errors: number, notes: number, paint: Paint): string {
  if (errors > 0) return paint(['bold', 'red'], `${counted(errors, 'error')}, ${counted(notes, 'note')}.`);
  return paint(['bold', 'green'], notes === 0 ? 'No errors.' : `No errors, ${counted(notes, 'note')}.`);
}

function next(errors: number, hasProfile: boolean, checked: readonly Checked[]): string[] {
  const agreed = hasProfile
    ? []
    : ['With the profile of the partner (--partner FILE.json), the check also compares the file with the agreement.'];
  const isEmpty = checked.every(
    ({ judged: { groups, interchange } }) =>
      groups.every(({ sets }) => sets.length === 0) && interchange.acknowledgments.length === 0,
  );
  const todo =
    errors > 0
      ? 'Next: correct the errors and run the check again. A NOTE does not reject anything.'
      : isEmpty
        ? 'The file has no transaction set, so it announces nothing. Next: put the sets between ISA and IEA.'
        : 'Next: send the file. Only the receiver knows its items, stores and orders, so this check did not examine them.';
  return [todo, ...agreed, 'Every code is explained in docs/edi.md.'];
}

function structure({ judged, status, byRules }: Checked, paint: Paint): string[] {
  const { interchange, groups } = judged;
  const { delimiters, sender, receiver, controlNumber, usage, header, acknowledgments } = interchange;
  const named = Object.entries(delimiters).map(([name, value]: [string, string]) => `${name} ${visible(value)}`);
  const when = header.elements.slice(9, 11).join(' ');
  const kind = usage === 'P' ? 'production' : 'test';
  const about = `${controlNumber}  from ${sender.qualifier} ${sender.id} to ${receiver.qualifier} ${receiver.id}, ${kind}, ${when}`;
  return [
    '',
    `Delimiters   ${named.join('   ')}`,
    `Interchange  ${safe(about)}: ${paintStatus(status, paint)}`,
    ...acknowledgments.map(({ elements: [, number, , , code, note] }) =>
      safe(`TA1          of interchange ${number ?? ''}: ${code ?? ''} ${note ?? ''}`),
    ),
    ...groups.flatMap(({ group, sets, rejected }) => [
      `Group        ${safe(`${group.number}  ${group.functionalId}, version ${group.version}`)}${rejected ? `: ${paintStatus('REJECTED', paint)}` : ''}`,
      ...sets.flatMap((set) => setLines(set, outcomeOf(set, byRules), paint)),
    ]),
  ];
}

/** Replaces the control characters in a text of the file by escapes, because they could control the terminal. */
function safe(text: string): string {
  return shown(text, Number.POSITIVE_INFINITY);
}

function visible(value: string): string {
  return value === '' ? 'none' : shown(value);
}

const STYLES: Readonly<Record<string, Style>> = {
  ACCEPTED: 'green',
  TESTED: 'green',
  PARTLY: 'yellow',
  IGNORED: 'yellow',
};

function paintStatus(status: string, paint: Paint): string {
  return paint(STYLES[status] ?? 'red', status);
}

function setLines({ set, tree }: JudgedSet, outcome: string, paint: Paint): string[] {
  const { purpose, number } = subjectOf(set);
  const name = [NAMES[set.setId], number].filter((part) => part !== undefined).join(' ');
  const about = [name, purpose === undefined ? '' : `purpose ${purpose}`, counted(set.segments.length, 'segment')];
  const lines = tree === undefined ? lineItems(set) : hierarchy(tree.roots, 1);
  const more = lines.length > MOST_LINES ? [`    ... and ${lines.length - MOST_LINES} more`] : [];
  const named = `  Set ${set.number}   ${set.setId} ${about.filter((part) => part !== '').join(', ')}`;
  const head = `${safe(named)}: ${paintStatus(outcome, paint)}`;
  return [head, ...lines.slice(0, MOST_LINES), ...more];
}

/** The segments that describe a level of the hierarchy best. At most four of them are printed for each level. */
const TELLING = ['REF', 'TD3', 'PRF', 'MAN', 'LIN', 'SN1'];
const LEVELS: Readonly<Record<string, string>> = { S: 'shipment', O: 'order', T: 'pallet', P: 'carton', I: 'item' };

function hierarchy(nodes: readonly HlNode[], depth: number): string[] {
  const lines: string[] = [];
  // The loop uses a stack instead of recursion, because the levels of a file can nest too deeply for the call stack.
  const open = nodes.map((node) => ({ node, depth })).reverse();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { node } = one;
    const told = node.segments
      .filter(({ id }) => TELLING.includes(id))
      .slice(0, 4)
      .map(({ elements }) => brief(elements));
    const indent = '  '.repeat(Math.min(one.depth, 8) + 1);
    const level = safe(`${LEVELS[node.level] ?? `level ${node.level}`} ${node.id}`);
    lines.push([`${indent}${level}`, ...told].join('   '));
    for (const child of node.children.toReversed()) open.push({ node: child, depth: one.depth + 1 });
  }
  return lines;
}

function lineItems({ segments }: TransactionSet): string[] {
  const items = segments.filter(({ id }) => ['PO1', 'POC', 'RCD', 'AK2', 'AK5', 'AK9', 'OTI', 'TED'].includes(id));
  return items.map(({ elements }) => `    ${brief(elements)}`);
}

function brief(elements: readonly string[]): string {
  return shown(elements.filter((value) => value !== '').join(' '), 60);
}

/** Returns the lines that show a finding with its segment, and carets below the wrong bytes. */
function explain(found: Finding, interchange: Interchange, lines: Lines, paint: Paint): string[] {
  const place = interchange.start + found.offset;
  const { line, column } = lines.placeOf(place);
  const isError = found.level === 'ERROR';
  const { segment: id = '', element } = found;
  const name = element === undefined ? id : elementName({ id }, element);
  const where = [
    found.set === undefined ? (found.group === undefined ? '' : `group ${found.group}`) : `set ${found.set}`,
    found.position === undefined ? '' : `segment ${found.position}`,
    name,
    `offset ${place}`,
  ].filter((part) => part !== '');
  return [
    '',
    `  ${paint(isError ? ['bold', 'red'] : ['bold', 'yellow'], found.level)} ${paint('bold', found.code)}  line ${line}, column ${column} (${safe(where.join(', '))})`,
    ...excerpt(found, interchange).map(
      (text, at) => `    ${at === 1 ? paint(isError ? 'red' : 'yellow', text) : text}`,
    ),
    `    ${sentence(safe(found.message))}`,
    `    Fix: ${found.cure}`,
  ];
}

/** Returns the segment of a finding, and the line with the carets. */
function excerpt({ offset, element, segment: id }: Finding, interchange: Interchange): string[] {
  const segment = segmentAt(interchange, offset);
  if (segment === undefined) return [];
  const begin = segment.begin;
  const isOwn = segment.id === id;
  const raw = isOwn ? rawOf(interchange, segment, element ?? 0) : segment.id;
  // If an element is missing after the last element, the caret is at the end of the segment.
  const end = Math.max(offset, Math.min(offset + raw.length, segment.end));
  const [before, wrong, after] = [
    interchange.content.slice(begin, offset),
    interchange.content.slice(offset, end),
    interchange.content.slice(end, segment.end),
  ].map((bytes) => safe(textOf(bytes))) as [string, string, string];
  // Only the part of a long segment around the wrong bytes is shown.
  const from = Math.max(0, before.length - WINDOW / 2);
  const head = `${from > 0 ? '...' : ''}${before.slice(from)}`;
  const middle = wrong.slice(0, WINDOW);
  const tail = `${middle}${wrong.slice(WINDOW)}${after}`;
  return [
    `${head}${tail.slice(0, WINDOW)}${tail.length > WINDOW ? '...' : ''}`,
    `${' '.repeat(head.length)}${'^'.repeat(Math.max(1, middle.length))}`,
  ];
}

/** Returns the segment that contains a byte. If several segments contain it, returns the one that begins last. */
function segmentAt(interchange: Interchange, offset: number): Segment | undefined {
  const { header, trailer, groups, strays, acknowledgments } = interchange;
  let found: Segment | undefined;
  const look = (segment: Segment | undefined) => {
    if (segment === undefined || segment.begin > offset || offset > segment.end) return;
    if (found === undefined || segment.begin >= found.begin) found = segment;
  };
  look(header);
  look(trailer);
  for (const segment of [...strays, ...acknowledgments]) look(segment);
  for (const group of groups) {
    look(group.header);
    look(group.trailer);
    for (const segment of group.strays) look(segment);
    for (const set of group.sets) {
      const [first, last] = [set.segments[0]!, set.segments.at(-1)!];
      if (first.begin <= offset && offset <= last.end) for (const segment of set.segments) look(segment);
    }
  }
  return found;
}

/** The subject of an acknowledgment. */
const TOLD: Readonly<Record<string, string>> = {
  TA1: 'the interchange',
  '997': 'its sets',
  '824': 'the content of a set',
};

function answer({ setId, content }: Acknowledgment, paint: Paint): string[] {
  const segments = content.trimEnd().split('\n');
  const name = `${setId}: acknowledgment to the sender about ${TOLD[setId]}`;
  return ['', paint('bold', name), ...segments.map((segment) => `  ${segment}`)];
}

/** Ends a message with a period, unless it ends with a question mark. */
function sentence(message: string): string {
  return message.endsWith('?') ? message : `${message}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** All findings of an interchange in the order of the file. */
export function findingsOf({ findings, groups }: JudgedInterchange): Finding[] {
  const ofSets = groups.flatMap(({ sets }) => sets.flatMap((set) => set.findings));
  return [...findings, ...ofSets].sort((one, other) => one.offset - other.offset);
}
