/** Keeps numbers with a hyphen on one line: "Return R-3001" does not break after the hyphen. */
import type { ComponentChildren } from 'preact';

/** Maximum length of a number that fits into a line of a phone. A longer number may break. */
const FITS = 20;

/** Returns the text with each number that has a hyphen kept on one line. Other content is returned unchanged. */
export function whole(text: ComponentChildren): ComponentChildren {
  if (typeof text !== 'string' || !text.includes('-')) return text;
  return text.split(/(\s+)/).map((word) => (isNumber(word) ? <span class="whole">{word}</span> : word));
}

function isNumber(word: string): boolean {
  return word.length <= FITS && /-.*\d|\d.*-/.test(word);
}
