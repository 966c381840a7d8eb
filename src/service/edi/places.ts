/** Records the segment and element from which each field of a message was read, and collects findings about them. */
import { type FindingCode, Findings, finding, type Level } from '../../platform/x12/findings.ts';
import { type Group, type Interchange, placeOf, type Segment, type TransactionSet } from '../../platform/x12/tokens.ts';
import type { HlTree } from '../../platform/x12/tree.ts';

/** A segment, or one of its elements. */
export interface Place {
  segment: Segment;
  element?: number;
}

/** A set with the interchange and the group that contain it. */
export interface SetInFile {
  interchange: Interchange;
  group: Group;
  set: TransactionSet;
  /** The hierarchy of an 856. */
  tree?: HlTree;
}

/** Collects the findings about the content of a set. */
export class Meaning {
  readonly file: SetInFile;
  readonly findings: Findings;
  /** Keys of the findings, so that each finding is added once: the POs of an SDQ share their lines. */
  readonly #seen = new Set<string>();

  constructor(file: SetInFile, findings = new Findings()) {
    this.file = file;
    this.findings = findings;
  }

  /** Returns a copy. Findings that are added to the copy do not change the original. */
  copy(): Meaning {
    return new Meaning(this.file, this.findings.copy());
  }

  /** Adds a finding. `cure` replaces the default fix of the code. */
  add(
    code: FindingCode,
    place: Place,
    message: string,
    { level = 'ERROR', pointer, cure }: { level?: Level; pointer?: string; cure?: string } = {},
  ): void {
    const { interchange, group, set } = this.file;
    const where = placeOf(interchange, place.segment, place.element);
    const key = `${code} ${where.offset} ${message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.findings.add(
      finding(code, {
        group: group.number,
        set: set.number,
        ...where,
        level,
        message,
        ...(pointer !== undefined && { pointer }),
        ...(cure !== undefined && { cure }),
      }),
    );
  }

  note(code: FindingCode, place: Place, message: string): void {
    this.add(code, place, message, { level: 'NOTE' });
  }

  get isClean(): boolean {
    return !this.findings.hasError;
  }
}

/** A value with its segment and element. */
export interface Value extends Place {
  value: string;
}

/** Returns an element of a segment; undefined if it is empty. */
export function valueAt(segment: Segment | undefined, element: number): Value | undefined {
  const value = segment?.elements[element] ?? '';
  return segment === undefined || value === '' ? undefined : { value, segment, element };
}

/** The places of the fields of one message. */
export interface Places {
  header: Readonly<Record<string, Place>>;
  /** Returns the places of the fields of a line. They are made on demand, because most messages have no error. */
  line: (index: number) => Readonly<Record<string, Place>> | undefined;
}

const LINE = /^\/(?:asn|po)Data\/0\/details\/detail\/(\d+)(?:\/(\w+))?/;
const HEADER = /^\/(?:asn|po)Data\/0\/header\/(\w+)/;

/**
 * Returns the place of a pointer into a message: the place of the field, the place of its line, or the place
 * `otherwise`.
 */
export function placeAt({ header, line: lineOf }: Places, pointer: string, otherwise: Place): Place {
  const [, index, name = ''] = LINE.exec(pointer) ?? [];
  const line = index === undefined ? undefined : lineOf(Number(index));
  if (line !== undefined) return line[name] ?? header[name] ?? line['line'] ?? otherwise;
  return header[HEADER.exec(pointer)?.[1] ?? ''] ?? otherwise;
}
