/** The meaning of EDI findings, by code, in the language of the screen. For English, the service has its own words. */
import { signal } from '@preact/signals';
import { type Language, language } from '../texts/index.ts';
import type { FindingWords } from '../texts/messages.ts';

const LOADERS: Partial<Record<Language, () => Promise<FindingWords>>> = {
  de: async () => (await import('../texts/de/findings.ts')).findings,
  es: async () => (await import('../texts/es/findings.ts')).findings,
};

/** The words of the language; empty for English, and until they are loaded. */
export const findingWords = signal<FindingWords>({});

/** Loads the words. Without the network, the English words of the service are shown. */
export async function loadFindingWords(): Promise<void> {
  const wanted = language.value;
  const words = (await LOADERS[wanted]?.().catch(() => undefined)) ?? {};
  if (language.value === wanted) findingWords.value = words;
}
