/** Finds lines by the codes of their items. */
import { clientItemIdOf } from '../../src/shared/item-id.ts';
import { isOneOf } from './codes.ts';

/**
 * Returns the lines whose item has a scanned code as a bar code or itemId; if there are none, the lines whose item has
 * it as its number at the client. So a number of digits never counts for the bar code of another item.
 */
export function linesOfCode<L extends { itemId: string }>(
  lines: readonly L[],
  text: string,
  codesOf: (line: L) => readonly string[],
): L[] {
  const found = lines.filter((line) => isOneOf(text, [line.itemId, ...codesOf(line)]));
  return found.length > 0 ? found : lines.filter(({ itemId }) => isOneOf(text, [clientItemIdOf(itemId)]));
}
