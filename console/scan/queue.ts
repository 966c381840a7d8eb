/**
 * One queue for the codes of all sources. Codes are handled one after the other, in the order of their arrival. While a
 * handler is busy, later codes wait, and none of them is dropped.
 */
import { signal } from '@preact/signals';
import { noteActivity } from '../activity.ts';
import { isCovered } from '../ui/cover.ts';
import { contentOf, readToday } from './codes.ts';
import { CODE_MIN } from './keys.ts';

/** The source of a code. */
export type ScanSource = 'wedge' | 'paste' | 'camera' | 'typing';

/** The command of a printed card. */
type ScanCommand = 'OK' | 'SHORT' | 'UNDO';

export interface Scan {
  /**
   * The code without control characters, except the separator of GS1 (GS). It may have a symbology identifier: compare
   * it with `formsOf` or `isOneOf`, and store its `contentOf`.
   */
  text: string;
  source: ScanSource;
  /** Milliseconds since 1970. */
  at: number;
  /** The command. Set only if the code is a command (`BR:OK`, `BR:SHORT`, `BR:UNDO`). */
  command?: ScanCommand | undefined;
}

/**
 * Handles a code. Returns `false` to pass the code on to the handler below; a promise delays later codes until it is
 * settled.
 */
export type ScanHandler = (scan: Scan) => unknown;

interface Entry {
  handler: ScanHandler;
  knows: ((text: string) => boolean) | undefined;
  isOverLock: boolean;
  isBusy: boolean;
}

/**
 * Time that a code waits for a screen that is still loading. On locked screens, a code is dropped after this time,
 * because the user no longer expects it to count.
 */
const HELD_MS = 3_000;
const LOOK_EVERY_MS = 20;
const COMMAND = /^BR:(OK|SHORT|UNDO)$/i;

const entries: Entry[] = [];
let waiting: Scan[] = [];
/** True while the screens are locked. Then only the handlers of the sign-in get codes. */
let isSuspended = false;

/**
 * Handles codes until the returned function is called. The last registered handler gets each code first, so a dialog
 * comes before its screen.
 *
 * @param knows returns whether the screen expects a code. If `XX` is unknown and `X` is known, `XX` counts as `X`,
 * because some scanners read a label twice.
 * @param isOverLock true for the sign-in: it also gets codes while the screens are locked
 */
export function onScan(
  handler: ScanHandler,
  { knows, isOverLock = false }: { knows?: (text: string) => boolean; isOverLock?: boolean } = {},
): () => void {
  const entry: Entry = { handler, knows, isOverLock, isBusy: false };
  entries.push(entry);
  drain();
  return () => {
    const at = entries.indexOf(entry);
    if (at < 0) return;
    entries.splice(at, 1);
    drain();
  };
}

/**
 * Adds a code. Ignores a text that is too short for a code. Exceptions: the text comes from the camera, or the focus is
 * on the scan target or on no input field (`isMeant`).
 */
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
  const command = COMMAND.exec(contentOf(code))?.[1]?.toUpperCase() as ScanCommand | undefined;
  waiting.push({ text: code, source, at, command });
  drain();
}

/**
 * Suspends all handlers except those of the sign-in until the returned function is called. This includes handlers that
 * are added later, because work that is rejected in the meantime changes the hidden screen. Codes that wait for the
 * handlers are kept. Call the returned function with false to drop the kept codes.
 */
export function suspendScans(): (isKept: boolean) => void {
  const kept = waiting;
  waiting = [];
  isSuspended = true;
  return (isKept) => {
    isSuspended = false;
    waiting = [...(isKept ? kept : []), ...waiting];
    drain();
  };
}

/** Returns the handlers that get codes now, the lowest first. */
const listeners = () => (isSuspended ? entries.filter(({ isOverLock }) => isOverLock) : entries);

/**
 * Returns whether a handler gets a code now. While a screen loads, a code does not go to the lowest handler, because
 * that handler opens the search.
 */
const isHeard = ({ at }: Scan) => listeners().length > Number(!isSuspended && isCovered() && Date.now() - at < HELD_MS);

let isDraining = false;

/** Passes codes to the handlers until no code waits or the handler of the next code is busy. */
function drain(): void {
  if (isDraining) return;
  isDraining = true;
  try {
    while (waiting[0] && isHeard(waiting[0])) {
      if (!offer(waiting[0])) return;
      waiting.shift();
    }
    // Drops old codes only while no handler can get them, as on locked screens. While a screen loads, an old code goes to
    // the lowest handler at the next look.
    if (listeners().length === 0) waiting = waiting.filter(({ at }) => Date.now() - at < HELD_MS);
    if (waiting.length > 0) setTimeout(drain, LOOK_EVERY_MS);
  } finally {
    isDraining = false;
  }
}

/** The last code that neither the open dialog nor its screen took. The dialog shows it. */
export const untaken = signal<Scan | undefined>(undefined);
/** Handlers that have passed on the first waiting code. */
let passed = new WeakSet<Entry>();

/** Passes a code to the handlers, from the top. Returns false if the next handler is still busy with its last code. */
function offer(scan: Scan): boolean {
  for (const entry of listeners().toReversed()) {
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

/** Calls a handler. An error of the handler is reported and does not stop the queue. */
function call({ handler, knows }: Entry, scan: Scan): unknown {
  try {
    return handler(knows === undefined ? scan : { ...scan, text: undouble(scan.text, knows) });
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** Returns `X` for `XX` if `X` is known and `XX` is not. Some scanners read a label twice per trigger. */
export function undouble(text: string, knows: (text: string) => boolean): string {
  const half = text.slice(0, text.length / 2);
  return text.length % 2 === 0 && half.length >= CODE_MIN && half + half === text && knows(half) && !knows(text)
    ? half
    : text;
}

/** Reports an error of a handler or of a screen like any uncaught error of the page. */
export function report(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
