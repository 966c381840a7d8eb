/** Judges an interchange: envelope, groups and sets against the tables of X12 (docs/edi.md). */
import type { Finding, FindingsTotal, Level } from './findings.ts';
import type { Group, Interchange, TransactionSet } from './tokens.ts';

/** Level of findings that a partner may be spared. */
export interface Strict {
  /** SE01, GE01 and IEA01. */
  segmentCount: Level;
  /** ISA13, GS06 and ST02 against their trailers, and GS06 and ST02 that are repeated. */
  controlNumbers: Level;
  isaWidths: Level;
  unknownSegments: Level;
  checkDigits: Level;
  hashTotal: Level;
}

/** The levels that hold unless others are agreed. */
export const STRICT: Strict = {
  segmentCount: 'ERROR',
  controlNumbers: 'ERROR',
  isaWidths: 'NOTE',
  unknownSegments: 'NOTE',
  checkDigits: 'NOTE',
  hashTotal: 'NOTE',
};

/** What is agreed with the sender. */
export interface CheckOptions {
  strict?: Partial<Strict>;
  /** The transaction sets that are taken; default: every one that has a table. */
  take?: readonly string[];
  /** Beginnings of GS08 that are taken; default: every version. */
  versions?: readonly string[];
}

/**
 * What became of a set by its syntax: `IGNORED` is a set that is not taken, or an acknowledgment (997, 824), which is read and never
 * acknowledged.
 */
export type SetOutcome = 'ACCEPTED' | 'REJECTED_SYNTAX' | 'IGNORED';

export interface JudgedSet {
  set: TransactionSet;
  outcome: SetOutcome;
  findings: Finding[];
  findingsTotal: FindingsTotal;
}

export interface JudgedGroup {
  group: Group;
  /** Whether the group was rejected, and so each of its sets. */
  rejected: boolean;
  findings: Finding[];
  sets: JudgedSet[];
}

export interface JudgedInterchange {
  interchange: Interchange;
  /** Whether the envelope was rejected; then it has no groups. */
  rejected: boolean;
  /** Findings of the envelope, then those of its groups. */
  findings: Finding[];
  findingsTotal: FindingsTotal;
  groups: JudgedGroup[];
}

/** Judges an interchange. Long ones are judged in turns of the event loop. */
export async function judge(_interchange: Interchange, _options: CheckOptions = {}): Promise<JudgedInterchange> {
  throw new Error('Not yet.');
}

/** The same interchange, rejected for a finding about its envelope that the tables cannot know (a repeated control number). */
export function reject(judged: JudgedInterchange, finding: Finding): JudgedInterchange {
  const findings = [finding, ...judged.findings];
  return { ...judged, rejected: true, findings, findingsTotal: findings.length, groups: [] };
}
