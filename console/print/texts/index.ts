/**
 * The texts of printed documents, in the language of the person who reads the document, not of the user who prints it.
 */
import { de } from './de.ts';
import { en, type PrintTexts } from './en.ts';
import { es } from './es.ts';

const TEXTS: Readonly<Record<string, PrintTexts>> = { en, de, es };

/** Returns the texts of a language (`de`, `de-AT`); English if the language is not supported. */
export function textsOf(language: string): PrintTexts {
  return TEXTS[language.slice(0, 2).toLowerCase()] ?? en;
}
