/** Texts that are no identifiers, because a path or a screen would show another one. */
import { say } from '../sentences.ts';
import type { Sentence } from './sentence.ts';

/** `.` and `..` are steps of a path: clients remove them from a URL, encoded or not, and so send another request. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Returns what is wrong with an identifier, as the end of a sentence; undefined: nothing. Format characters are
 * invisible or change the order of the characters around them, so that a label shows another identifier.
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
