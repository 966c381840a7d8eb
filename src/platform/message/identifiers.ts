/** Texts that are not permitted as identifiers, because a URL or a screen would turn them into other texts. */
import { say } from '../sentences.ts';
import type { Sentence } from './sentence.ts';

/**
 * Dot segments (RFC 3986): clients remove `.` and `..` from the path of a URL, encoded or not, and so request another
 * resource.
 */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Returns the error of an identifier as the end of a sentence; undefined if the identifier has no error. Format
 * characters are invisible or change the order of the characters around them, so that a label shows another identifier.
 */
export function identifierProblem(text: string): Sentence | undefined {
  if (STEPS.has(text))
    return say('must not be {text}, because URL clients remove it from a path; send another identifier', {
      text: JSON.stringify(text),
    });
  const [hidden] = /[\p{Cc}\p{Cf}]/u.exec(text) ?? [];
  if (hidden === undefined) return undefined;
  const code = hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return say('has the invisible character U+{code}; remove it', { code });
}
