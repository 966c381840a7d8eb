/**
 * Labels for printers that understand ZPL II. Codes are drawn as boxes, so every printer and emulation prints the same
 * pattern as on paper. Letters use the printer's own scalable font.
 */
import { type Label, type LabelLine, MARGIN_MM } from './labels.ts';
import { GAP_MM, layoutOf, ROW } from './layout.ts';

/** Resolutions of label printers. */
export type Dpi = 203 | 300 | 600;

const MM_PER_INCH = 25.4;

/** Returns the label as ZPL. */
export function zplOf(label: Label, dpi: Dpi, copies = 1): string {
  const dots = (mm: number) => Math.round((mm * dpi) / MM_PER_INCH);
  const { widthMm, heightMm } = label;
  const out = ['^XA', '^CI28', `^PW${dots(widthMm)}`, `^LL${dots(heightMm)}`, '^LH0,0'];
  let y = dots(MARGIN_MM);
  const write = ({ text, mm, isBold = false }: LabelLine) => {
    const height = dots(mm);
    const width = dots(widthMm - 2 * MARGIN_MM);
    // The font has no bold style, so the letters are printed twice, one dot apart.
    for (let aside = 0; aside <= (isBold ? 1 : 0); aside += 1) {
      out.push(`^FO${dots(MARGIN_MM) + aside},${y}^A0N,${height},${height}^FB${width},1,0,C^FH_^FD${escaped(text)}^FS`);
    }
    y += dots(mm * ROW);
  };
  const { rows, pattern, moduleMm, barMm, caption } = layoutOf(label, dpi);
  rows.forEach(write);
  y += dots(GAP_MM);
  const module = dots(moduleMm);
  const barHeight = pattern.isMatrix ? module : dots(barMm);
  // Bars need no quiet zone above and below.
  const quiet = pattern.isMatrix ? pattern.quiet * module : 0;
  y += quiet;
  const left = Math.max(0, Math.round((dots(widthMm) - pattern.width * module) / 2));
  for (const { x, y: row, width, height } of pattern.dark) {
    const wide = width * module;
    const high = pattern.isMatrix ? height * module : barHeight;
    out.push(`^FO${left + x * module},${y + row * module}^GB${wide},${high},${Math.min(wide, high)}^FS`);
  }
  y += pattern.isMatrix ? pattern.height * module : barHeight;
  y += Math.max(quiet, dots(1));
  caption.forEach(write);
  if (label.note !== undefined) write({ text: label.note, mm: 3 });
  out.push(`^PQ${copies}`, '^XZ');
  return `${out.join('\n')}\n`;
}

/** `^`, `~`, `_` and the backslash have a meaning for the printer; line breaks would end the text. */
function escaped(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\^~_\\]/g, (character) => `_${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
