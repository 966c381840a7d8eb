/** Prints tags for units that wait for a decision: the return, the item and the condition. */
import { ownWord } from '../../choices.ts';
import { takeBackTexts } from '../../texts/index.ts';
import { labelsPrinted } from '../../work/counter-print.ts';
import { type Return, returnChoices } from './returning.ts';

/** Prints a tag for each line. Resolves to true if the print dialog of the browser opened. @throws ApiError */
export async function printHoldTags(
  { storeId, number }: Return,
  lines: Return['receipts'][number]['lines'],
): Promise<boolean> {
  const texts = takeBackTexts();
  const { conditions } = await returnChoices(storeId);
  const wordOf = (condition: string) =>
    ownWord(conditions.find(({ code }) => code === condition) ?? { code: condition, description: condition });
  const label = ({ itemId, quantity, condition }: (typeof lines)[number]) => ({
    widthMm: 100,
    heightMm: 50,
    lines: [
      { text: texts.tagOf(number), mm: 7, isBold: true },
      { text: `${quantity} × ${itemId}`, mm: 5 },
      { text: condition === undefined ? texts.dispositions.HELD : wordOf(condition), mm: 5 },
    ],
    code: { symbology: 'CODE128' as const, text: number },
  });
  return labelsPrinted(() => lines.map(label));
}
