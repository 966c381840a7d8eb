/** Formats names and values of a message for error messages. */

/** Maximum length of a caller's text in an error message. */
export const ECHO_MAX = 60;

/** A name of a field, in single quotes. */
export function quoted(name: string): string {
  return `'${name}'`;
}

/** A value as a JSON string, at most its first 60 UTF-16 units. */
export function quote(value: string): string {
  return JSON.stringify(value.slice(0, ECHO_MAX));
}

/** Returns at most `most` UTF-16 units of a text, never half a surrogate pair; `...` marks omitted text. */
export function shorten(text: string, most = ECHO_MAX): string {
  return text.length <= most ? text : `${withoutHalf(text.slice(0, most - 3))}...`;
}

/** The text without half a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** The first `most` texts, separated by commas; `...` marks that there are more. */
export function listed(texts: readonly string[], most: number): string {
  return texts.slice(0, most).join(', ') + (texts.length > most ? ', ...' : '');
}
