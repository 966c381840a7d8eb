/** The texts of paper: of the language of its reader, not of who prints it. */
import { de } from './de.ts';
import { en, type PrintTexts } from './en.ts';
import { es } from './es.ts';

const TEXTS: Readonly<Record<string, PrintTexts>> = { en, de, es };

/** The texts of a language (`de`, `de-AT`); English for one that there is none of. */
export function textsOf(language: string): PrintTexts {
  return TEXTS[language.slice(0, 2).toLowerCase()] ?? en;
}
