/** Findings to 997 and TA1, and incoming 997 and TA1 to outcomes (docs/edi.md). */
import type { JudgedInterchange } from './check.ts';
import type { Segment, TransactionSet } from './tokens.ts';
import type { WrittenSegment, WrittenSet } from './write.ts';

/**
 * The 997s of an interchange: one for each group, none for groups of acknowledgments (FA, AG) and for a rejected envelope. They belong
 * into one group FA. `version` is the version (GS08) in which they are written.
 */
export function functionalAcknowledgments(_judged: JudgedInterchange, _version: string): WrittenSet[] {
  throw new Error('Not yet.');
}

/** When to send a TA1: `ON_ERROR` if ISA14 asks for it or the envelope is rejected. */
export type Ta1Policy = 'ON_ERROR' | 'ALWAYS' | 'NEVER';

/** The TA1 of an interchange, an interchange of its own; undefined if none is due. */
export function interchangeAcknowledgment(_judged: JudgedInterchange, _policy: Ta1Policy): WrittenSegment | undefined {
  throw new Error('Not yet.');
}

/** What a partner says of a group (997) or interchange (TA1) that was sent to it. */
export type AckStatus = 'ACKNOWLEDGED' | 'REFUSED';

/** A 997 that came. */
export interface GroupAcknowledgment {
  /** AK101: GS01 of the group. */
  functionalId: string;
  /** AK102: GS06 of the group. */
  groupNumber: string;
  status: AckStatus;
  /** AK901. */
  code: string;
  /** One for each AK2. */
  sets: { setId: string; number: string; code: string; segments: SegmentError[] }[];
}

/** An AK3 with its AK4. */
export interface SegmentError {
  segment: string;
  position: number;
  code: string;
  elements: { element: number; code: string; value?: string }[];
}

/** Reads a 997: A and E are ACKNOWLEDGED, all else is REFUSED. Undefined if AK1 or AK9 is missing. */
export function readFunctionalAcknowledgment(_set: TransactionSet): GroupAcknowledgment | undefined {
  throw new Error('Not yet.');
}

/** A TA1 that came. */
export interface InterchangeAcknowledgment {
  /** TA101: ISA13 of the interchange. */
  controlNumber: string;
  status: AckStatus;
  /** TA104. */
  code: string;
  /** TA105. */
  note: string;
}

/** Reads a TA1: only R is REFUSED. */
export function readInterchangeAcknowledgment({ elements }: Segment): InterchangeAcknowledgment {
  const [controlNumber = '', code = '', note = ''] = [elements[1], elements[4], elements[5]];
  return { controlNumber, status: code === 'R' ? 'REFUSED' : 'ACKNOWLEDGED', code, note };
}
