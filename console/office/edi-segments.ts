/**
 * Splits the bytes of an X12 file into segments. Each segment has its offset, so that a finding can be shown at its
 * segment.
 */

/** A segment of an interchange, as it was sent. */
export interface Segment {
  /** For example `ISA`, `BSN`, `HL`. */
  id: string;
  /** Offset in bytes from the ISA of the interchange, as in a finding. */
  offset: number;
  /** Length of the segment in bytes, without its terminator. */
  length: number;
  /** The text to show: UTF-8 if it is valid, without line breaks. */
  text: string;
  /** Elements from index 1 on; index 0 is the id. */
  elements: readonly string[];
}

/** An interchange of a file. */
export interface RawInterchange {
  segments: readonly Segment[];
}

/** Returns one character per byte, so that an index in the text is an offset in the file. */
export function bytesAsText(bytes: ArrayBuffer): string {
  const view = new Uint8Array(bytes);
  let text = '';
  for (let at = 0; at < view.length; at += 8192) text += String.fromCharCode(...view.subarray(at, at + 8192));
  return text;
}

/** Returns all interchanges of a file in order; empty if the file has no ISA. */
export function interchangesOf(content: string): RawInterchange[] {
  const interchanges: RawInterchange[] = [];
  for (let at = nextIsa(content, 0); at !== -1; ) {
    const { segments, end } = readInterchange(content, at);
    interchanges.push({ segments });
    at = nextIsa(content, end);
  }
  return interchanges;
}

function nextIsa(content: string, from: number): number {
  const at = content.slice(from).search(/(?<![A-Z0-9])ISA[^A-Za-z0-9\s]/);
  return at === -1 ? -1 : from + at;
}

function readInterchange(content: string, start: number): { segments: Segment[]; end: number } {
  const separator = content[start + 3]!;
  const terminator = terminatorOf(content, start, separator);
  const segments: Segment[] = [];
  let at = start;
  while (at < content.length) {
    while (at < content.length && /\s/.test(content[at]!) && !content.startsWith(terminator, at)) at += 1;
    // The next interchange begins before this one has ended.
    if (segments.length > 0 && content.startsWith(`ISA${separator}`, at)) break;
    const found = content.indexOf(terminator, at);
    const end = found === -1 ? content.length : found;
    if (end > at) segments.push(segmentOf(content.slice(at, end), at - start, separator));
    at = end + terminator.length;
    if (segments.at(-1)?.id === 'IEA') break;
  }
  return { segments, end: Math.min(at, content.length) };
}

/**
 * Returns the segment terminator: the characters after the component separator, which is the last element of the ISA.
 */
function terminatorOf(content: string, start: number, separator: string): string {
  let at = start;
  for (let count = 0; count < 16 && at !== -1; count += 1) at = content.indexOf(separator, at + 1);
  const first = at === -1 ? '~' : (content[at + 2] ?? '~');
  // A terminator can be one character of several bytes. After a carriage return, a line feed is skipped like other
  // blanks.
  const code = first.charCodeAt(0);
  const size = code >= 0xe0 ? 3 : code >= 0xc0 ? 2 : 1;
  return at === -1 ? first : content.slice(at + 2, at + 2 + size);
}

function segmentOf(bytes: string, offset: number, separator: string): Segment {
  const trimmed = bytes.replace(/\s+$/, '');
  const elements = trimmed.split(separator).map(shown);
  return { id: elements[0] ?? '', offset, length: trimmed.length, text: shown(trimmed), elements };
}

function shown(bytes: string): string {
  const text = bytes.replaceAll(/[\r\n]/g, '');
  const view = Uint8Array.from(text, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(view);
  } catch {
    return text;
  }
}

/** Returns the index of the segment at an offset, or of the last segment before it. */
export function segmentAt(segments: readonly Segment[], offset: number): number {
  const after = segments.findIndex((segment) => segment.offset > offset);
  return after === -1 ? segments.length - 1 : Math.max(0, after - 1);
}

/** A row of the tree: a set, a loop of an 856, or a line of an order. */
export interface TreeRow {
  /** Index of the row's segment. */
  at: number;
  depth: number;
  /** `SET`, the level of the loop (S, O, T, P, I), or LINE for a line of an order. */
  level: string;
  /** The name to show: the number of a set or an order, a carton, an item. */
  name: string;
}

/** The segments with the name of a loop, and the index of the element that is the name. */
const NAMES: Record<string, readonly (readonly [id: string, element: number])[]> = {
  S: [['BSN', 2]],
  O: [['PRF', 1]],
  T: [['MAN', 2]],
  P: [['MAN', 2]],
  I: [['LIN', 3]],
};

/** Returns the outline of an interchange: sets, loops below their parents, lines. */
export function treeOf(segments: readonly Segment[]): TreeRow[] {
  const rows: TreeRow[] = [];
  let depths = new Map<string, number>();
  let open: TreeRow | undefined;
  segments.forEach(({ id, elements }, at) => {
    if (id === 'ST') {
      depths = new Map();
      open = undefined;
      rows.push({ at, depth: 0, level: 'SET', name: `${elements[1] ?? ''} ${elements[2] ?? ''}`.trim() });
    } else if (id === 'HL') {
      const [own = '', parent = '', level = ''] = elements.slice(1);
      const depth = Math.min((depths.get(parent) ?? 0) + 1, 6);
      depths.set(own, depth);
      open = { at, depth, level, name: '' };
      rows.push(open);
    } else if (id === 'PO1' || id === 'POC') {
      rows.push({ at, depth: 1, level: 'LINE', name: elements[id === 'PO1' ? 7 : 9] ?? elements[1] ?? '' });
    } else if (open !== undefined && open.name === '') {
      const named = NAMES[open.level]?.find(([segment]) => segment === id);
      if (named !== undefined) open.name = elements[named[1]] ?? '';
    }
  });
  return rows;
}
