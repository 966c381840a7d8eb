/** The 824 of a set that the rules reject (docs/edi-partners.md#application-advice-824). */
import { codesOf, type Finding } from '../../platform/x12/findings.ts';
import { dayIn, dayOf, type WrittenSegment, type WrittenSet } from '../../platform/x12/write.ts';

const FINDINGS_MAX = 20;
const MESSAGE_MAX = 60;
const CURE_MAX = 80;
const RAW_MAX = 99;
const REFERENCE_MAX = 30;
/** TED01 of findings that have no code of their own in this element: `024` (other). */
const OTHER = '024';

/** A set that the rules reject. */
export interface Rejected {
  setId: string;
  set: string;
  group: string;
  number: string;
  findings: readonly Finding[];
}

/** Writes the 824. `reference` is the control number of its interchange, `version` its version (GS08). */
export function applicationAdvice(
  rejected: Rejected,
  { reference, at, version }: { reference: string; at: Date; version: string },
): WrittenSet {
  const { setId, set, group, findings } = rejected;
  const number = rejected.number.slice(0, REFERENCE_MAX);
  const time = at.toISOString().slice(11, 16).replace(':', '');
  const kind = setId === '856' ? 'SI' : 'PO';
  const errors = findings.filter(({ level }) => level === 'ERROR').slice(0, FINDINGS_MAX);
  return {
    setId: '824',
    segments: [
      ['BGN', '11', reference, dayIn(version, dayOf(at)), time, '', number],
      ['OTI', 'TR', kind, number === '' ? '?' : number, '', '', '', '', group, set, setId],
      ...errors.flatMap(technicalError),
    ],
  };
}

function technicalError({ code, message, segment, position, element, raw, cure }: Finding): WrittenSegment[] {
  const where = [
    segment ?? '',
    position === undefined ? '' : String(position),
    element === undefined ? '' : String(element),
  ];
  const ted = ['TED', codesOf(code).advice ?? OTHER, message.slice(0, MESSAGE_MAX), ...where, ''];
  return [
    [...ted, element === undefined ? '' : raw.slice(0, RAW_MAX)],
    ['NTE', '', cure.slice(0, CURE_MAX)],
  ];
}
