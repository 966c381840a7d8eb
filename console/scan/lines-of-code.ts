/** Finds lines by the codes of their items. */
import { clientItemIdOf } from '../../src/shared/item-id.ts';
import { contentOf, isOneOf } from './codes.ts';

/**
 * Identifiers are case-sensitive, but scanners with caps lock send capitals. Returns those of the lines `found` that
 * have the exact text as a code; all of them if none has it. Numbers are compared without their leading zeros.
 */
export function exactOf<L>(found: readonly L[], text: string, codesOf: (line: L) => readonly string[]): readonly L[] {
  const content = contentOf(text);
  if (found.length < 2 || /^\d+$/.test(content)) return found;
  const exact = found.filter((line) => codesOf(line).includes(content));
  return exact.length > 0 ? exact : found;
}

/**
 * Returns the lines whose item has a scanned code as a bar code or itemId; if there are none, the lines whose item has
 * it as its number at the client. So a number of digits never counts for the bar code of another item.
 */
export function linesOfCode<L extends { itemId: string }>(
  lines: readonly L[],
  text: string,
  codesOf: (line: L) => readonly string[],
): readonly L[] {
  const named = (codes: (line: L) => readonly string[]) =>
    exactOf(
      lines.filter((line) => isOneOf(text, codes(line))),
      text,
      codes,
    );
  const found = named((line) => [line.itemId, ...codesOf(line)]);
  return found.length > 0 ? found : named(({ itemId }) => [clientItemIdOf(itemId)]);
}
