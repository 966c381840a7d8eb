/**
 * The texts of the console, in one set of typed modules per language. The English modules define the names. The texts
 * of the frame and the home screen load with the page (`shellTexts`). Other texts load with the first screen that needs
 * them, for example the texts of the floor (`t`), office (`o`) and EDI. Numbers and dates come from `Intl`.
 */
import { batch, computed, signal } from '@preact/signals';
import type { BundleMessages, Messages, OfficeMessages, ShellMessages, TextBundle } from './messages.ts';

/** The languages to choose from, each with its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Language, { [Name in TextBundle]: () => Promise<BundleMessages[Name]> }> = {
  en: {
    shell: async () => (await import('./en/index.ts')).en,
    floor: async () => (await import('./en/floor.ts')).floor,
    office: async () => (await import('./en/office.ts')).office,
    edi: async () => (await import('./en/edi.ts')).edi,
    returns: async () => (await import('./en/returns.ts')).returns,
    lead: async () => (await import('./en/lead.ts')).lead,
    desk: async () => (await import('./en/desk.ts')).desk,
    'take-back': async () => (await import('./en/take-back.ts')).takeBack,
  },
  de: {
    shell: async () => (await import('./de/index.ts')).de,
    floor: async () => (await import('./de/floor.ts')).floor,
    office: async () => (await import('./de/office.ts')).office,
    edi: async () => (await import('./de/edi.ts')).edi,
    returns: async () => (await import('./de/returns.ts')).returns,
    lead: async () => (await import('./de/lead.ts')).lead,
    desk: async () => (await import('./de/desk.ts')).desk,
    'take-back': async () => (await import('./de/take-back.ts')).takeBack,
  },
  es: {
    shell: async () => (await import('./es/index.ts')).es,
    floor: async () => (await import('./es/floor.ts')).floor,
    office: async () => (await import('./es/office.ts')).office,
    edi: async () => (await import('./es/edi.ts')).edi,
    returns: async () => (await import('./es/returns.ts')).returns,
    lead: async () => (await import('./es/lead.ts')).lead,
    desk: async () => (await import('./es/desk.ts')).desk,
    'take-back': async () => (await import('./es/take-back.ts')).takeBack,
  },
};

/** Storage key of the language that was chosen at the sign-in. It is the language of users without an own one. */
const KEY = 'backroom.language';
/** The loaded texts, all in one language. */
const loaded = signal<Partial<BundleMessages>>({});
const messages = computed(() => ({ ...loaded.value.shell, ...loaded.value.floor }) as Messages);
/** The shown language. */
export const language = signal<Language>(firstLanguage());
const isPseudo = new URLSearchParams(location.search).has('pseudo');

/** Returns the texts of the frame, the sign-in and the home screen. These screens must not use other texts. */
export function shellTexts(): ShellMessages {
  return loaded.value.shell!;
}

/** Returns the texts of the frame and of the floor. Call `loadTexts` first. */
export function t(): Messages {
  return messages.value;
}

/** Returns the texts of the office. The screens of the office load them first. */
export function o(): OfficeMessages {
  return loaded.value.office!;
}

/** Returns the texts of the EDI screens, which load them first. */
export function ediTexts(): BundleMessages['edi'] {
  return loaded.value.edi!;
}

/** Returns the texts of the screens of returns, which load them first. */
export function returnTexts(): BundleMessages['returns'] {
  return loaded.value.returns!;
}

/** Returns the texts of the screens of leads, which load them first. */
export function leadTexts(): BundleMessages['lead'] {
  return loaded.value.lead!;
}

/**
 * Returns the texts of the boards and of these screens: access log, contact, change of an order, labels, providers,
 * set-up, and the settings that users can only read. These screens load the texts first.
 */
export function deskTexts(): BundleMessages['desk'] {
  return loaded.value.desk!;
}

/** Returns the texts of the counter for returns. Its screens load them first. */
export function takeBackTexts(): BundleMessages['take-back'] {
  return loaded.value['take-back']!;
}

let wanted: Language | undefined;

/** Loads and shows a language. */
export async function showLanguage(one: Language): Promise<void> {
  wanted = one;
  const names = new Set<TextBundle>(['shell', ...(Object.keys(loaded.peek()) as TextBundle[])]);
  const read = await Promise.all([...names].map(async (name) => [name, pseudo(await LOADERS[one][name]())] as const));
  // Another language was chosen in the meantime.
  if (wanted !== one) return undefined;
  // A screen may have loaded further texts in the meantime. These texts must be loaded in the new language, too.
  if (Object.keys(loaded.peek()).some((name) => !names.has(name as TextBundle))) return showLanguage(one);
  batch(() => {
    loaded.value = Object.fromEntries(read);
    language.value = one;
  });
  document.documentElement.lang = one;
}

/**
 * Shows the language of a user; if the user has none, or the console does not have it, the language of this browser.
 * @param tag the language of the user, for example `de-CH`
 */
export async function showOwnLanguage(tag?: string): Promise<void> {
  const one = firstLanguage(tag);
  if (one !== language.peek() || one !== wanted) await showLanguage(one);
}

/** Shows a language, and keeps it as the language of this browser. */
export async function chooseLanguage(one: Language): Promise<void> {
  localStorage.setItem(KEY, one);
  await showLanguage(one);
}

/** Loads the texts of screens if they are not loaded yet. */
export async function loadTexts(...names: readonly TextBundle[]): Promise<void> {
  await Promise.all(names.map(load));
}

async function load(name: TextBundle): Promise<void> {
  while (!(name in loaded.peek())) {
    const one = language.peek();
    const read = pseudo(await LOADERS[one][name]());
    // The user may have chosen another language in the meantime.
    if (!(name in loaded.peek()) && language.peek() === one) loaded.value = { ...loaded.peek(), [name]: read };
  }
}

/** Returns texts in another language than the shown one, for documents whose reader is not the user. */
export function textsIn<Name extends TextBundle>(one: Language, name: Name): Promise<BundleMessages[Name]> {
  return LOADERS[one][name]();
}

function firstLanguage(own = ''): Language {
  const tags = [own, localStorage.getItem(KEY) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return tags.find((one): one is Language => one in LANGUAGES) ?? 'en';
}

/**
 * If the address has `?pseudo`, makes every text a third longer and marks it. Tests use this to find untranslated and
 * truncated texts.
 */
export function pseudo<T>(texts: T): T {
  if (!isPseudo || texts === undefined) return texts;
  if (typeof texts === 'string') return `⟦${texts}${'·'.repeat(Math.ceil(texts.length / 3))}⟧` as T;
  if (typeof texts === 'function') {
    const text = texts as unknown as (...args: unknown[]) => string;
    return ((...args: unknown[]) => pseudo(text(...args))) as T;
  }
  return Object.fromEntries(Object.entries(texts as object).map(([name, text]) => [name, pseudo(text)])) as T;
}

/** Returns the word for a code of the service. An unknown code is returned unchanged. */
export function word(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}

/**
 * Time zone of the shown times; undefined for the zone of the browser. On the floor, it is the zone of the node,
 * because a device can have another zone.
 */
export const zone = signal<string | undefined>(undefined);

const formats = computed(() => {
  const [one, timeZone] = [language.value, zone.value];
  return {
    number: new Intl.NumberFormat(one),
    percent: new Intl.NumberFormat(one, { style: 'percent', maximumFractionDigits: 1 }),
    time: new Intl.DateTimeFormat(one, { hour: '2-digit', minute: '2-digit', timeZone }),
    day: new Intl.DateTimeFormat(one, { day: 'numeric', month: 'short', timeZone }),
    plainDay: new Intl.DateTimeFormat(one, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    full: new Intl.DateTimeFormat(one, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  };
});

const DAY_MS = 86_400_000;

/** Formats a number for the language. */
export function number(value: number): string {
  return formats.value.number.format(value);
}

/** Formats a share of 0 to 1 as a percentage. */
export function percent(share: number): string {
  return formats.value.percent.format(share);
}

/** Formats the time of day, with the date if the time is not today. With `isAlways`, the date is never added. */
export function time(at: string | number, isAlways = false): string {
  const date = new Date(at);
  const ago = Date.now() - date.getTime();
  const day = formats.value.day.format(date);
  // The formatted day has no year. The difference therefore excludes the same day of another year.
  const isToday = Math.abs(ago) < DAY_MS && day === formats.value.day.format(Date.now());
  return isToday || isAlways ? formats.value.time.format(date) : `${day}, ${formats.value.time.format(date)}`;
}

/** Formats a plain date (`2026-03-12`), which has no time zone. */
export function day(date: string): string {
  return formats.value.plainDay.format(new Date(date));
}

/** Formats day and time in full. */
export function dateTime(at: string | number): string {
  return formats.value.full.format(new Date(at));
}

/** Formats an amount of money with up to 4 decimal places, as many as the service stores. */
export function money(amount: string | number, currency: string): string {
  // The amount is formatted from its text, because a double would round long amounts.
  const format = new Intl.NumberFormat(language.value, { style: 'currency', currency, maximumFractionDigits: 4 });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Returns the whole minutes until a time, rounded down; negative after the time. */
export function minutesTo(at: string, nowMs: number): number {
  return Math.floor((Date.parse(at) - nowMs) / 60_000);
}
