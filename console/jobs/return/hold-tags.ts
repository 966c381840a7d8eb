/** Prints tags for units that wait for a decision: the return, the item and the condition. */
import { isPrinted, printLabels } from '../../print/index.ts';
import { takeBackTexts } from '../../texts/index.ts';
import type { Return } from './returning.ts';

/** Prints a tag for each line. Resolves to true if the print dialog of the browser opened. */
export function printHoldTags(number: string, lines: Return['receipts'][number]['lines']): Promise<boolean> {
  const texts = takeBackTexts();
  const labels = lines.map(({ itemId, quantity, condition }) => ({
    widthMm: 100,
    heightMm: 50,
    lines: [
      { text: texts.tagOf(number), mm: 7, isBold: true },
      { text: `${quantity} × ${itemId}`, mm: 5 },
      { text: condition ?? texts.dispositions.HELD, mm: 5 },
    ],
    code: { symbology: 'CODE128' as const, text: number },
  }));
  return isPrinted(() => printLabels(labels));
}
