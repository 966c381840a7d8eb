/** Checks whether a key is easy to guess. Keys from `openssl rand -hex 32` pass. */

const LEAST_DISTINCT = 8;
/** Number of characters that must remain after common words and sequences are removed. */
const LEAST_LEFT = 12;
const RUN = 4;

/** Words from lists of common passwords, and keyboard rows. */
const COMMON =
  /passw[o0]rd|passwort|changeme|change|letmein|welcome|qwert[yz]|asdfgh|zxcvbn|admin(?:istrator)?|secret|default|sunshine|football|iloveyou|monkey|dragon|master/gi;

/** Returns the weakness of a key, as a phrase that follows its name; undefined for a strong key. */
export function weaknessOf(key: string): string | undefined {
  if (new Set(key).size < LEAST_DISTINCT) return `has fewer than ${LEAST_DISTINCT} different characters`;
  if (isRepeated(key)) return 'repeats one part';
  const left = withoutRuns(key.replace(COMMON, ''));
  if (left.length < LEAST_LEFT || new Set(left).size < LEAST_DISTINCT - 2) {
    return 'consists of common words and sequences';
  }
  return undefined;
}

/** Whether the key repeats one part; the last repetition can be cut off. */
function isRepeated(key: string): boolean {
  for (let length = 1; length <= key.length / 2; length += 1) {
    if (key.slice(length) === key.slice(0, key.length - length)) return true;
  }
  return false;
}

/** Removes sequences such as abcd, 4321 and aaaa from the key. */
function withoutRuns(key: string): string {
  let left = '';
  for (let at = 0; at < key.length; ) {
    const length = Math.max(...[-1, 0, 1].map((step) => runFrom(key, at, step)));
    if (length < RUN) left += key[at]!;
    at += length < RUN ? 1 : length;
  }
  return left;
}

function runFrom(key: string, at: number, step: number): number {
  let length = 1;
  while (key.charCodeAt(at + length) - key.charCodeAt(at + length - 1) === step) length += 1;
  return length;
}
