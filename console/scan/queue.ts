/**
 * One queue for the codes of all sources. Codes are handled one after the other, in the order in which they came; while a handler waits,
 * the next ones wait with it, and none is dropped.
 */
import { noteActivity } from '../activity.ts';
import { readToday } from './codes.ts';
import { CODE_MIN } from './keys.ts';

/** Where a code came from. */
export type ScanSource = 'wedge' | 'paste' | 'camera' | 'typing';

/** What a command code of a printed card says. */
type ScanCommand = 'OK' | 'SHORT' | 'UNDO';

export interface Scan {
  /** The code without control characters; the separator of GS1 (GS) stays. */
  text: string;
  source: ScanSource;
  /** Milliseconds since 1970. */
  at: number;
  /** Set where the code is a command (`BR:OK`, `BR:SHORT`, `BR:UNDO`). */
  command?: ScanCommand;
}

/** Handles a code. `false` passes it on to the handler below; a promise keeps later codes waiting until it is done. */
export type ScanHandler = (scan: Scan) => unknown;

interface Entry {
  handler: ScanHandler;
  knows: ((text: string) => boolean) | undefined;
  isBusy: boolean;
}

/** A screen that is just loading gets the codes scanned meanwhile; later they would count in an unexpected place. */
const HELD_MS = 3_000;
const COMMAND = /^BR:(OK|SHORT|UNDO)$/i;

const entries: Entry[] = [];
let waiting: Scan[] = [];
/** Handlers of screens that are put away, the lowest ones: they get no codes meanwhile. */
let suspended = 0;

/**
 * Handles codes until the returned function is called. Of several handlers the one registered last is asked first, so a dialog is
 * asked before its screen.
 *
 * @param knows whether a text is a code that the screen expects: then `XX`, scanned twice within one reading, counts as `X`.
 */
export function onScan(handler: ScanHandler, { knows }: { knows?: (text: string) => boolean } = {}): () => void {
  const entry: Entry = { handler, knows, isBusy: false };
  entries.push(entry);
  drain();
  return () => {
    const at = entries.indexOf(entry);
    if (at !== -1) entries.splice(at, 1);
    if (at !== -1 && at < suspended) suspended -= 1;
    drain();
  };
}

/** Adds a code. Texts that are too short to be one are ignored, unless somebody has entered them into the scan target (`isMeant`). */
export function pushScan({
  text,
  source,
  at,
  isMeant = false,
}: {
  text: string;
  source: ScanSource;
  at: number;
  isMeant?: boolean;
}): void {
  noteActivity();
  const { code } = readToday(text);
  if (code.length < (isMeant ? 1 : CODE_MIN)) return;
  const command = COMMAND.exec(code)?.[1]?.toUpperCase() as ScanCommand | undefined;
  const scan: Scan = { text: code, source, at, ...(command !== undefined && { command }) };
  waiting.push(scan);
  drain();
}

/**
 * The handlers that are there get no more codes until the returned function is called; codes that wait for them wait on. What comes
 * meanwhile is for those that are added. `isKept`: whether the codes that waited still count.
 */
export function suspendScans(): (isKept: boolean) => void {
  const kept = waiting;
  waiting = [];
  suspended = entries.length;
  return (isKept) => {
    suspended = 0;
    waiting = [...(isKept ? kept : []), ...waiting];
    drain();
  };
}

let isDraining = false;

/** Hands codes out until none waits or the handler that is to have the next one is busy. */
function drain(): void {
  if (isDraining) return;
  isDraining = true;
  try {
    while (waiting.length > 0 && entries.length > suspended) {
      const scan = waiting[0]!;
      if (Date.now() - scan.at > HELD_MS && isUnheard.has(scan)) {
        waiting.shift();
        continue;
      }
      if (!offer(scan)) return;
      waiting.shift();
    }
    for (const scan of waiting) if (entries.length === suspended) isUnheard.add(scan);
  } finally {
    isDraining = false;
  }
}

/** Codes that found no handler at all. */
const isUnheard = new WeakSet<Scan>();
/** Handlers that have passed the first code on. */
let passed = new WeakSet<Entry>();

/** Offers a code from the top; false if the handler whose turn it is has not finished its last one. */
function offer(scan: Scan): boolean {
  for (const entry of entries.slice(suspended).toReversed()) {
    if (passed.has(entry)) continue;
    if (entry.isBusy) return false;
    const result = call(entry, scan);
    if (result === false) {
      passed.add(entry);
      continue;
    }
    if (result instanceof Promise) {
      entry.isBusy = true;
      result.catch(report).finally(() => {
        entry.isBusy = false;
        drain();
      });
    }
    break;
  }
  passed = new WeakSet();
  return true;
}

/** An error of one handler must not stop the queue. */
function call({ handler, knows }: Entry, scan: Scan): unknown {
  try {
    return handler(knows === undefined ? scan : { ...scan, text: undouble(scan.text, knows) });
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** `X` for `XX`, where `X` is known and `XX` is not: some scanners read one label twice within one trigger. */
export function undouble(text: string, knows: (text: string) => boolean): string {
  const half = text.slice(0, text.length / 2);
  return text.length % 2 === 0 && half.length >= CODE_MIN && half + half === text && knows(half) && !knows(text)
    ? half
    : text;
}

/** An error of a handler is shown like any error of the page. */
function report(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
