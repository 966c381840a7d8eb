/** The layout of a label, the same for paper and label printers: its rows of text, and its code. */
import { type Label, type LabelLine, MARGIN_MM } from './labels.ts';
import { fitting, type Pattern } from './symbols.ts';

export interface Layout {
  /** The lines of the label. Each row fits its width. */
  rows: readonly LabelLine[];
  pattern: Pattern;
  moduleMm: number;
  /** Height of the bars of a linear code. */
  barMm: number;
  /** The text below the code. */
  caption: readonly LabelLine[];
}

/** Distance between the tops of two rows, as a multiple of the height of their letters. */
export const ROW = 1.2;
/** Space between the lines and the code. */
export const GAP_MM = 2;
const CAPTION_MM = 3.2;
/** Room for the caption. */
const CAPTION_ROOM_MM = 5;
const NOTE_ROOM_MM = 4;
/** Minimum height of letters. If the rows do not fit even with these letters, they extend beyond their room. */
const LETTER_MIN_MM = 2;
const LETTER_STEP_MM = 0.25;

/** Minimum room for a matrix code. The lines become smaller if they leave less room. */
const MATRIX_ROOM_MM = 20;

/**
 * Lays out a label. A line that is wider than the label continues on the next row. If the rows then need more than the
 * room above the code, the largest letters become smaller until all rows fit. `dpi` is the resolution of a label printer.
 */
export function layoutOf({ widthMm, heightMm, lines, code, note }: Label, dpi?: number): Layout {
  const inner = widthMm - 2 * MARGIN_MM;
  const below = (code.isSecret === true ? 0 : CAPTION_ROOM_MM) + (note === undefined ? 0 : NOTE_ROOM_MM);
  const room = heightMm - 2 * MARGIN_MM - GAP_MM - below;
  const matrixMm = Math.max(MATRIX_ROOM_MM, room - heightOf(lines.filter(({ text }) => text !== '')));
  const { pattern, moduleMm } = fitting(code, { widthMm: inner, matrixMm, dpi });
  const barMm = heightMm >= 100 ? 30 : 14;
  const codeMm = pattern.isMatrix ? (pattern.height + 2 * pattern.quiet) * moduleMm : barMm;
  return {
    rows: rowsIn(lines, inner, room - codeMm),
    pattern,
    moduleMm,
    barMm,
    caption: rowsIn([{ text: pattern.human, mm: CAPTION_MM }], inner, CAPTION_ROOM_MM),
  };
}

function heightOf(rows: readonly LabelLine[]): number {
  return rows.reduce((sum, { mm }) => sum + mm * ROW, 0);
}

function rowsIn(lines: readonly LabelLine[], widthMm: number, heightMm: number): LabelLine[] {
  for (let most = Math.max(...lines.map(({ mm }) => mm)); ; most -= LETTER_STEP_MM) {
    const rows = lines.flatMap((line) => {
      const mm = Math.min(line.mm, most);
      return wrapped(line.text, widthMm / mm).map((text) => ({ ...line, text, mm }));
    });
    if (heightOf(rows) <= heightMm || most - LETTER_STEP_MM < LETTER_MIN_MM) return rows;
  }
}

/** Splits a text into rows with at most a width in em: after spaces, hyphens and slashes, otherwise anywhere. */
function wrapped(text: string, em: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const part of text.split(/(?<=[\s/-])/)) {
    if (widthOf(row + part) <= em) {
      row += part;
      continue;
    }
    rows.push(row);
    row = '';
    for (const letter of part) {
      if (widthOf(row + letter) > em) {
        rows.push(row);
        row = '';
      }
      row += letter;
    }
  }
  return [...rows, row].map((one) => one.trim()).filter((one) => one !== '');
}

/**
 * Widths of letters in em, not less than in the bold font of the paper. The font of label printers is narrower. A
 * letter of another script matches no pattern and counts as 1 em.
 */
const WIDTHS: readonly [letters: RegExp, em: number][] = [
  [/[ !"'(),.:;I[\]`fijlrt{|}·-]/, 0.42],
  [/[MW@m%…]/, 1],
  [/[a-z0-9ß-ÿ]/, 0.66],
  [/[ -~À-Þ]/, 0.78],
];

/** Returns the width of a text in em. A space at the end has none. */
function widthOf(text: string): number {
  return Array.from(text.trimEnd()).reduce(
    (sum, letter) => sum + (WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? 1),
    0,
  );
}
