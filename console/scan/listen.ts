/**
 * Listens to keys, committed text and paste of the whole page and puts the codes in them into the queue. It sees every key before the
 * page does (capture), so neither a dialog nor a focused field can lose one.
 */
import { doing } from '../activity.ts';
import { type KeyOutcome, type KeyPlace, KeyReader } from './keys.ts';
import { profile } from './profile.ts';
import { pushScan, type ScanSource } from './queue.ts';
import { focusScanTarget } from './target.tsx';

/** An event as the page sees it: what the scanner test page shows. */
export interface RawEvent {
  type: string;
  /** The key, or the text of an input or paste. */
  data: string;
  place: KeyPlace;
  /** Milliseconds since the event before. */
  sinceMs: number;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const reader = new KeyReader(() => profile.peek());
const rawWatchers = new Set<(event: RawEvent) => void>();
/** The field's value before the keys that may become a code. */
let before: { field: Field; value: string } | undefined;
/** A key that others see when no code follows it. */
let delayed: KeyboardEvent | undefined;
/** Keys that were shown to others late: they are not read again. */
const shownAgain = new WeakSet<Event>();
let held = '';
let timer: ReturnType<typeof setTimeout> | undefined;
let lastRawAt = 0;

/** Sees every event that may belong to a code. */
export function watchRaw(watcher: (event: RawEvent) => void): () => void {
  rawWatchers.add(watcher);
  return () => rawWatchers.delete(watcher);
}

/** Starts listening, once for the page; returns how to stop. */
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
  // The text of an input method comes with its input event.
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
  if (place === 'target') holdBack(event);
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

/** A key in the empty scan target to which no other one belongs, after a gap and this time, was a shortcut. */
const ALONE_MS = 300;
let aloneTimer: ReturnType<typeof setTimeout> | undefined;

/** Characters in the scan target are text. One that stays alone is shown to shortcuts, unless somebody types there. */
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

/** The first key of a code was held back from shortcuts; when the gap has passed without a second one, it was a shortcut. */
function showDelayed(at: number): void {
  const key = delayed;
  if (key === undefined || at - key.timeStamp <= profile.peek().gapMs) return;
  delayed = undefined;
  (key.target ?? document.body).dispatchEvent(copyOf(key));
}

/** A key to show to others, which is not read again. */
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
  reader.hold(target.value, held, event.timeStamp);
  held = target.value;
  // Nothing of the page but this listener has to do with what the target holds.
  event.stopImmediatePropagation();
  if (isComposing !== true) arm(target);
  else arm(target, COMPOSING_MS);
}

/** Input methods replace what they compose; until they are quiet nothing may be taken away from them. */
const COMPOSING_MS = 150;

function onPaste(event: ClipboardEvent): void {
  const place = placeOf(event.target);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  watch(event, text, place);
  if (place === 'field' || text === '') return;
  take(event);
  for (const line of text.split(/\r?\n/)) push(line.trim(), 'paste');
  focusScanTarget();
}

/** Looks again when the gap after the last key has passed. */
function arm(at: EventTarget | null, atLeastMs = 0): void {
  clearTimeout(timer);
  const pausesAt = reader.pausesAt;
  if (pausesAt === undefined) return;
  timer = setTimeout(
    () => {
      // A busy page may run this before keys that came in time.
      if (isInputPending()) {
        arm(at);
        return;
      }
      const place = placeOf(at);
      const value = place === 'target' ? (at as HTMLInputElement).value : undefined;
      const outcome = reader.pause(performance.now(), place, value);
      if (outcome.code === undefined) showDelayed(Number.POSITIVE_INFINITY);
      else {
        delayed = undefined;
        if (place === 'target') empty(at as HTMLInputElement);
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

/** A code is complete: its field is as it was before, the code is in the queue, the focus on the scan target. */
function finish({ code, isFast, isRestored }: KeyOutcome, at: EventTarget | null): void {
  if (code === undefined) return;
  if (isRestored === true && before !== undefined && before.field === at) {
    before.field.value = before.value;
    before.field.dispatchEvent(new Event('input', { bubbles: true }));
    if (before.field instanceof HTMLSelectElement) before.field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  before = undefined;
  // Whatever the reader takes from the page is a code, also a short one.
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
 * Within `data-scan="keep"` fields are there to be scanned into. What a key of hardware types into a password field is a password: it must
 * not go anywhere else. In the field of a PIN a text that can be none, such as a badge, is a code.
 */
function keepsCodes(target: EventTarget | null): boolean {
  if (!isField(target)) return false;
  return (
    target.closest('[data-scan="keep"]') !== null || (target.type === 'password' && target.inputMode !== 'numeric')
  );
}

/** Digits in the field of a PIN are the PIN, however fast they came: filled in by the browser, or typed by a keypad. */
function isPin(target: EventTarget | null, text: string): boolean {
  return target instanceof HTMLInputElement && target.type === 'password' && /^\d{4,8}$/.test(text);
}

function placeOf(target: EventTarget | null): KeyPlace {
  if (target instanceof HTMLInputElement && target.dataset['scanTarget'] !== undefined) return 'target';
  return isField(target) ? 'field' : 'page';
}

/** Whether keys there are text that a person enters. */
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
