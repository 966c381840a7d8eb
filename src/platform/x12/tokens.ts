/**
 * Bytes to interchanges, groups, transaction sets and segments (docs/edi.md). Delimiters come from the ISA; nothing is thrown away
 * without a finding.
 */
import type { Finding } from './findings.ts';

/** The delimiters of an interchange, as text: the segment terminator may have several bytes. */
export interface Delimiters {
  element: string;
  component: string;
  /** From version 00402 on. */
  repetition?: string;
  segment: string;
}

/** A segment. `elements[0]` is its id and `elements[2]` its second element; trailing blanks are removed. */
export interface Segment {
  id: string;
  elements: readonly string[];
  /** Offset of each element: bytes from the ISA of the interchange. */
  offsets: readonly number[];
  /** Offset of the terminator. */
  end: number;
  /** Place in its set, ST is 1; 0 outside of a set. */
  position: number;
}

/** A transaction set. */
export interface TransactionSet {
  /** Place among the sets of the interchange, from 1. */
  position: number;
  /** ST01, for example `856`. */
  setId: string;
  /** ST02. */
  number: string;
  /** From ST to SE, both included. */
  segments: readonly Segment[];
  /** Missing if the set is cut. */
  trailer?: Segment;
}

/** A functional group. */
export interface Group {
  /** GS. */
  header: Segment;
  /** GE; missing if the group is cut. */
  trailer?: Segment;
  /** GS01, for example `SH`. */
  functionalId: string;
  /** GS06. */
  number: string;
  /** GS08, for example `004010VICS`. */
  version: string;
  sets: readonly TransactionSet[];
  /** Segments between the sets, which have no place there. */
  strays: readonly Segment[];
}

/** A sender or receiver: ISA05 and 06, or ISA07 and 08. */
export interface Identity {
  qualifier: string;
  id: string;
}

/** An interchange, from ISA to IEA. */
export interface Interchange {
  /** Its bytes, one character a byte (Latin-1). */
  content: string;
  /** Offset of its ISA in the body. */
  start: number;
  delimiters: Delimiters;
  /** ISA. */
  header: Segment;
  /** IEA; missing if the interchange is cut. */
  trailer?: Segment;
  sender: Identity;
  receiver: Identity;
  /** ISA13 as sent. */
  controlNumber: string;
  /** ISA15: `P` for production, everything else is a test. */
  usage: string;
  groups: readonly Group[];
  /** TA1 segments before the first group. */
  acknowledgments: readonly Segment[];
  /** Segments outside of groups, which have no place there. */
  strays: readonly Segment[];
  /** Bytes behind IEA up to the next interchange, other than white space. */
  trailing: string;
}

/** What a body has: interchanges, or the finding NO_ENVELOPE. */
export type Body = { interchanges: readonly Interchange[] } | { noEnvelope: Finding };

/** Reads a body. Never throws; long bodies are read in turns of the event loop. */
export async function readBody(_bytes: Uint8Array): Promise<Body> {
  throw new Error('Not yet.');
}

/** The bytes of a segment (without terminator), or of one of its elements. */
export function rawOf({ content }: Interchange, segment: Segment, element?: number): string {
  if (element === undefined) return content.slice(segment.offsets[0], segment.end);
  const from = segment.offsets[element];
  if (from === undefined) return '';
  const next = segment.offsets[element + 1];
  return content.slice(from, next === undefined ? segment.end : next - 1);
}
