/** A label on paper: a page in the size of the label. */
import { PrintedCode } from './code.tsx';
import { codeHeightMm, type Label, MARGIN_MM } from './labels.ts';

export function PrintedLabel({ label }: { label: Label }) {
  const { widthMm, heightMm, lines, code, note } = label;
  const inner = widthMm - 2 * MARGIN_MM;
  return (
    <section
      class="print-page print-label"
      style={{ width: `${widthMm}mm`, height: `${heightMm}mm`, padding: `${MARGIN_MM}mm` }}
    >
      {lines.map(({ text, mm, isBold }) => (
        <p class={isBold === true ? 'bold' : ''} style={{ fontSize: `${mm}mm` }}>
          {text}
        </p>
      ))}
      <PrintedCode code={code} widthMm={inner} heightMm={codeHeightMm(label)} />
      {note !== undefined && <p class="note">{note}</p>}
    </section>
  );
}
