/** The language of a user or a person: a language tag (BCP 47), as browsers report it. */
import { text } from '../platform/schema.ts';
import { say } from './sentences.ts';

const TAG = '[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*';

/** Returns the schema of a language in a response, or in a request that cannot remove the language. */
export const languageTag = (description: string) =>
  text(2, 35, { pattern: `^${TAG}$`, 'x-hint': say('send a language tag such as en or de-CH'), description });

/** The language in a PUT. */
export const languageInPut = text(0, 35, {
  pattern: `^(?:${TAG})?$`,
  'x-hint': say('send a language tag such as en or de-CH, or an empty text for the language of the browser'),
  description:
    'Language of the console. A PUT without `language` does not change the language. An empty text removes the language: the console then has the language of the browser',
});

/** Returns the column that a PUT sets, if any. */
export function languageColumn({ language }: { language?: string }): { language?: string | null } {
  return language === undefined ? {} : { language: language === '' ? null : language };
}
