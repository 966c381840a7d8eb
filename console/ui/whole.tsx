/** Texts whose numbers stay in one line: "Return R-3001" never breaks behind the hyphen. */
import type { ComponentChildren } from 'preact';

/** Characters of a number that fit into a line of a phone. A longer one may break. */
const FITS = 20;

/** The text with each number that has a hyphen kept together; what is no text stays as it is. */
export function whole(text: ComponentChildren): ComponentChildren {
  if (typeof text !== 'string' || !text.includes('-')) return text;
  return text.split(/(\s+)/).map((word) => (isNumber(word) ? <span class="whole">{word}</span> : word));
}

function isNumber(word: string): boolean {
  return word.length <= FITS && /-.*\d|\d.*-/.test(word);
}
