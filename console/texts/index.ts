/**
 * The texts of the console: typed modules a language, English says which there are. The frame and the home screen have theirs from the
 * start (`shellTexts`); those of the other screens load with the first of them (`t`), and those of the office with its first (`o`).
 * Numbers, dates and plurals come from `Intl`.
 */
import { batch, computed, type Signal, signal } from '@preact/signals';
import type { FloorMessages, Messages, OfficeMessages, ShellMessages } from './messages.ts';

/** The languages to choose from, each in its own words. `xx` is the pseudo-language of the tests. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<
  Language,
  {
    shell: () => Promise<ShellMessages>;
    floor: () => Promise<FloorMessages>;
    office: () => Promise<OfficeMessages>;
  }
> = {
  en: {
    shell: async () => (await import('./en/index.ts')).en,
    floor: async () => (await import('./en/floor.ts')).floor,
    office: async () => (await import('./en/office.ts')).office,
  },
  de: {
    shell: async () => (await import('./de/index.ts')).de,
    floor: async () => (await import('./de/floor.ts')).floor,
    office: async () => (await import('./de/office.ts')).office,
  },
  es: {
    shell: async () => (await import('./es/index.ts')).es,
    floor: async () => (await import('./es/floor.ts')).floor,
    office: async () => (await import('./es/office.ts')).office,
  },
};

const KEY = 'backroom.language';
const shellMessages = signal<ShellMessages | undefined>(undefined);
const floorMessages = signal<FloorMessages | undefined>(undefined);
const messages = computed(() => ({ ...shellMessages.value, ...floorMessages.value }) as Messages);
const officeMessages = signal<OfficeMessages | undefined>(undefined);
/** The language that is shown. */
export const language = signal<Language>(firstLanguage());
const isPseudo = new URLSearchParams(location.search).has('pseudo');

/** The texts of the frame and of the home screen. What either of them imports must not ask for more. */
export function shellTexts(): ShellMessages {
  return shellMessages.value!;
}

/** The texts of all screens but those of the office; `loadFloorTexts` comes first. */
export function t(): Messages {
  return messages.value;
}

/** The texts of the office; its screens load them first. */
export function o(): OfficeMessages {
  return officeMessages.value!;
}

/** Loads and shows a language. */
export async function showLanguage(one: Language): Promise<void> {
  const { shell, floor, office } = LOADERS[one];
  const [shellOne, floorOne, officeOne] = await Promise.all([
    shell(),
    floorMessages.peek() === undefined ? undefined : floor(),
    officeMessages.peek() === undefined ? undefined : office(),
  ]);
  // A screen may have loaded texts in the meantime; those need the new language, too.
  const isBehind = (has: unknown, loaded: unknown) => has !== undefined && loaded === undefined;
  if (isBehind(floorMessages.peek(), floorOne) || isBehind(officeMessages.peek(), officeOne)) return showLanguage(one);
  batch(() => {
    shellMessages.value = pseudo(shellOne);
    floorMessages.value = pseudo(floorOne);
    officeMessages.value = pseudo(officeOne);
    language.value = one;
  });
  document.documentElement.lang = one;
  localStorage.setItem(KEY, one);
}

/** Loads the texts of the screens, once. */
export function loadFloorTexts(): Promise<void> {
  return load(floorMessages, (one) => LOADERS[one].floor());
}

/** Loads the texts of the office, once. */
export function loadOfficeTexts(): Promise<void> {
  return load(officeMessages, (one) => LOADERS[one].office());
}

async function load<T>(texts: Signal<T | undefined>, read: (one: Language) => Promise<T>): Promise<void> {
  while (texts.peek() === undefined) {
    const one = language.peek();
    const loaded = pseudo(await read(one));
    // The user may have chosen another language in the meantime.
    if (texts.peek() === undefined && language.peek() === one) texts.value = loaded;
  }
}

function firstLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((one): one is Language => one !== null && one in LANGUAGES) ?? 'en';
}

/** In tests `?pseudo` makes every text a third longer and marks it, so that what is not translated or cut is seen. */
export function pseudo<T>(texts: T): T {
  if (!isPseudo || texts === undefined) return texts;
  if (typeof texts === 'string') return `⟦${texts}${'·'.repeat(Math.ceil(texts.length / 3))}⟧` as T;
  if (typeof texts === 'function') {
    const text = texts as unknown as (...args: unknown[]) => string;
    return ((...args: unknown[]) => pseudo(text(...args))) as T;
  }
  return Object.fromEntries(Object.entries(texts as object).map(([name, text]) => [name, pseudo(text)])) as T;
}

/** The word for a code of the service; a code that is not known stands for itself. */
export function word(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}

const formats = computed(() => ({
  number: new Intl.NumberFormat(language.value),
  percent: new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 1 }),
  time: new Intl.DateTimeFormat(language.value, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(language.value, { day: 'numeric', month: 'short' }),
  full: new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }),
}));

/** A number as the language writes it. */
export function number(value: number): string {
  return formats.value.number.format(value);
}

/** A share of 0 to 1 as a percentage. */
export function percent(share: number): string {
  return formats.value.percent.format(share);
}

/** The time of day; of another day with its date. */
export function time(at: string | number, isAlways = false): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday || isAlways
    ? formats.value.time.format(date)
    : `${formats.value.day.format(date)}, ${formats.value.time.format(date)}`;
}

/** A plain date (`2026-03-12`), which has no time zone. */
export function day(date: string): string {
  return formats.value.day.format(new Date(`${date}T12:00:00`));
}

/** Day and time in full. */
export function dateTime(at: string | number): string {
  return formats.value.full.format(new Date(at));
}

/** An amount of money, every digit as the service has it. */
export function money(amount: string | number, currency: string): string {
  // The text goes in as it is: a double would round long amounts.
  const format = new Intl.NumberFormat(language.value, { style: 'currency', currency, maximumFractionDigits: 4 });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Minutes until a time, negative when it has passed: `+35 min`, `−2 h 08`. */
export function minutesTo(at: string, nowMs: number): number {
  return Math.floor((Date.parse(at) - nowMs) / 60_000);
}
