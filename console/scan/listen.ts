/**
 * Listens to keys, committed text and paste of the whole page, and adds the codes in them to the queue. The listeners
 * get every key before the page does (capture), so neither a dialog nor a focused field can lose a key.
 */
import { doing } from '../activity.ts';
import { type KeyOutcome, type KeyPlace, KeyReader } from './keys.ts';
import { profile } from './profile.ts';
import { pushScan, type ScanSource } from './queue.ts';
import { focusScanTarget } from './target.tsx';

/** An event for the scanner test page. */
export interface RawEvent {
  type: string;
  /** The key, or the text of an input or paste. */
  data: string;
  place: KeyPlace;
  /** Milliseconds since the previous event. */
  sinceMs: number;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const reader = new KeyReader(() => profile.peek());
const rawWatchers = new Set<(event: RawEvent) => void>();
/** The field's value before the keys that may become a code. */
let before: { field: Field; value: string } | undefined;
/** A key that other listeners get if no code follows. */
let delayed: KeyboardEvent | undefined;
/** Delayed keys that were dispatched again. They are not read twice. */
const shownAgain = new WeakSet<Event>();
let held = '';
/** Time of the key that is about to change the scan target. */
let keyAt: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastRawAt = 0;

/** Calls `watcher` for every event that may belong to a code. Returns a function that stops the calls. */
export function watchRaw(watcher: (event: RawEvent) => void): () => void {
  rawWatchers.add(watcher);
  return () => rawWatchers.delete(watcher);
}

/** Starts to listen. Call it once per page. Returns a function that stops it. */
export function listen(): () => void {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  addEventListener('keydown', onKeyDown, options);
  addEventListener('beforeinput', onBeforeInput, options);
  addEventListener('input', onInput, options);
  addEventListener('paste', onPaste, options);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

function onKeyDown(event: KeyboardEvent): void {
  doing.call(event);
  if (shownAgain.has(event)) return;
  const place = placeOf(event.target);
  watch(event, event.key, place);
  if (keepsCodes(event.target)) return;
  // Ignores the keys of an input method, because their text arrives with an input event.
  if (event.isComposing || event.key === 'Unidentified' || event.key === 'Process') return;
  if ((event.key === 'Enter' || event.key === 'Tab') && place === 'target' && !isModified(event)) {
    const target = event.target as HTMLInputElement;
    const outcome = reader.submit(target.value, event.timeStamp);
    if (outcome.isTaken === true) take(event);
    if (outcome.code !== undefined) {
      delayed = undefined;
      empty(target);
      finish(outcome, event.target);
    }
    return;
  }
  if (place === 'target') {
    keyAt = event.key.length === 1 ? event.timeStamp : undefined;
    holdBack(event);
  }
  showDelayed(event.timeStamp);
  const outcome = reader.press({
    key: event.key,
    at: event.timeStamp,
    place,
    isModified: isModified(event),
    isRepeat: event.repeat,
  });
  if (outcome.code !== undefined && isPin(event.target, outcome.code)) {
    before = undefined;
    return;
  }
  if (outcome.isFirst === true) remember(event.target);
  if (outcome.isTaken === true) {
    take(event);
    delayed = undefined;
  }
  if (outcome.isDelayed === true) {
    event.stopImmediatePropagation();
    delayed = event;
  }
  if (outcome.insert !== undefined) {
    const target = event.target as HTMLInputElement;
    target.value += outcome.insert;
    held = target.value;
  }
  finish(outcome, event.target);
  arm(event.target);
}

/**
 * Waiting time after the gap that follows a single key in the empty scan target. If no other key follows, the key was a
 * shortcut.
 */
const ALONE_MS = 300;
let aloneTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Hides characters in the scan target from shortcuts, because they are text. If no other key follows, the key is
 * dispatched as a shortcut, unless the user has opened the keyboard of the scan target.
 */
function holdBack(event: KeyboardEvent): void {
  clearTimeout(aloneTimer);
  if (event.key.length !== 1 || isModified(event)) return;
  event.stopImmediatePropagation();
  const target = event.target as HTMLInputElement;
  if (target.value !== '' || target.inputMode === 'text' || event.repeat) return;
  aloneTimer = setTimeout(() => {
    if (target.value === event.key && !document.body.dispatchEvent(copyOf(event))) empty(target);
  }, profile.peek().gapMs + ALONE_MS);
}

/** Dispatches the delayed key if the gap has ended without a second key: it was a shortcut, not the start of a code. */
function showDelayed(at: number): void {
  const key = delayed;
  if (key === undefined || at - key.timeStamp <= profile.peek().gapMs) return;
  delayed = undefined;
  (key.target ?? document.body).dispatchEvent(copyOf(key));
}

/** Returns a copy of a key to dispatch. The copy is not read again. */
function copyOf({ key, code, shiftKey }: KeyboardEvent): KeyboardEvent {
  const again = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true });
  shownAgain.add(again);
  return again;
}

function onBeforeInput(event: InputEvent): void {
  const piece = event.data ?? '';
  if (
    placeOf(event.target) !== 'field' ||
    keepsCodes(event.target) ||
    piece.length < 2 ||
    event.inputType === 'insertFromPaste'
  )
    return;
  const { isFirst } = reader.commit(piece, event.timeStamp);
  if (isFirst === true) remember(event.target);
}

function onInput(event: Event): void {
  doing.call(event);
  const place = placeOf(event.target);
  const { data, inputType, isComposing } = event as Partial<InputEvent>;
  if (inputType !== undefined) watch(event, data ?? '', place);
  if (place !== 'target') return;
  const target = event.target as HTMLInputElement;
  reader.hold(target.value, held, event.timeStamp, keyAt);
  keyAt = undefined;
  held = target.value;
  // Only this listener handles the value of the scan target.
  event.stopImmediatePropagation();
  if (isComposing !== true) arm(target);
  else arm(target, COMPOSING_MS);
}

/**
 * Waiting time for input methods. They replace the text that they compose, so the field must not be cleared before this
 * time is over.
 */
const COMPOSING_MS = 150;

function onPaste(event: ClipboardEvent): void {
  const place = placeOf(event.target);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  watch(event, text, place);
  if (place === 'field' || text === '') return;
  take(event);
  for (const line of text.split(/\r?\n/)) push(line.trim(), 'paste', true);
  focusScanTarget();
}

/** Sets a timer for the end of the gap after the last key. The timer checks whether a code is complete. */
function arm(at: EventTarget | null, atLeastMs = 0): void {
  clearTimeout(timer);
  const pausesAt = reader.pausesAt;
  if (pausesAt === undefined) return;
  timer = setTimeout(
    () => {
      // On a busy page, the timer can run before keys that were pressed in time. It is then set again.
      if (isInputPending()) {
        arm(at);
        return;
      }
      const target = placeOf(at) === 'target' ? (at as HTMLInputElement) : undefined;
      const outcome = reader.pause(performance.now(), target?.value);
      if (outcome.code === undefined) showDelayed(Number.POSITIVE_INFINITY);
      else {
        delayed = undefined;
        if (target !== undefined) empty(target);
      }
      finish(outcome, at);
    },
    Math.max(atLeastMs, pausesAt - performance.now() + 1),
  );
}

function isInputPending(): boolean {
  const { scheduling } = navigator as { scheduling?: { isInputPending?: () => boolean } };
  return scheduling?.isInputPending?.() === true;
}

/** Handles a complete code: restores the field, adds the code to the queue, and focuses the scan target. */
function finish({ code, isFast, isRestored }: KeyOutcome, at: EventTarget | null): void {
  if (code === undefined) return;
  if (isRestored === true && before !== undefined && before.field === at) {
    before.field.value = before.value;
    before.field.dispatchEvent(new Event('input', { bubbles: true }));
    if (before.field instanceof HTMLSelectElement) before.field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  before = undefined;
  // Outside of fields, the reader has already decided that a short text is a code.
  push(code, isFast === false ? 'typing' : 'wedge', placeOf(at) !== 'field');
  focusScanTarget();
}

function push(text: string, source: ScanSource, isMeant = false): void {
  pushScan({ text, source, at: Date.now(), isMeant });
}

function take(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function empty(target: HTMLInputElement): void {
  target.value = '';
  held = '';
}

function remember(field: EventTarget | null): void {
  before = isField(field) ? { field, value: field.value } : undefined;
}

function isModified({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/**
 * Returns whether the field keeps all keys as its text, so that no code is read from them. This applies to fields
 * within `data-scan="keep"` and to password fields. In a PIN field, a text that cannot be a PIN, such as a badge, is a
 * code.
 */
function keepsCodes(target: EventTarget | null): boolean {
  if (!isField(target)) return false;
  return (
    target.closest('[data-scan="keep"]') !== null || (target.type === 'password' && target.inputMode !== 'numeric')
  );
}

/** Returns whether digits in a PIN field are the PIN. The browser or a keypad may enter them as fast as a scanner. */
function isPin(target: EventTarget | null, text: string): boolean {
  return target instanceof HTMLInputElement && target.type === 'password' && /^\d{4,8}$/.test(text);
}

function placeOf(target: EventTarget | null): KeyPlace {
  if (target instanceof HTMLInputElement && target.dataset['scanTarget'] !== undefined) return 'target';
  return isField(target) ? 'field' : 'page';
}

/** Returns whether keys at the target are text of the user. */
export function isTypedInto(target: EventTarget | null): boolean {
  return placeOf(target) === 'field';
}

const KEYLESS = new Set(['button', 'checkbox', 'radio', 'submit', 'reset', 'range', 'color', 'file', 'image']);

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !KEYLESS.has(target.type))
  );
}

function watch(event: Event, data: string, place: KeyPlace): void {
  if (rawWatchers.size === 0) return;
  const raw = { type: event.type, data, place, sinceMs: Math.round(event.timeStamp - lastRawAt) };
  lastRawAt = event.timeStamp;
  for (const watcher of rawWatchers) watcher(raw);
}
