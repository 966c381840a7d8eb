/** A label on paper: a page in the size of the label. */
import { useMemo } from 'preact/hooks';
import { PrintedPattern } from './code.tsx';
import { type Label, MARGIN_MM } from './labels.ts';
import { GAP_MM, layoutOf, ROW } from './layout.ts';

export function PrintedLabel({ label }: { label: Label }) {
  const { widthMm, heightMm, note } = label;
  const { rows, pattern, moduleMm, barMm, caption } = useMemo(() => layoutOf(label), [label]);
  return (
    <section
      class="print-page print-label"
      style={{ width: `${widthMm}mm`, height: `${heightMm}mm`, padding: `${MARGIN_MM}mm` }}
    >
      {rows.map(({ text, mm, isBold }) => (
        <p class={isBold === true ? 'bold' : ''} style={{ fontSize: `${mm}mm`, lineHeight: ROW }}>
          {text}
        </p>
      ))}
      <div style={{ marginBlockStart: `${GAP_MM}mm` }}>
        <PrintedPattern pattern={pattern} moduleMm={moduleMm} heightMm={barMm} captionMm={caption[0]?.mm} />
      </div>
      {note !== undefined && <p class="note">{note}</p>}
    </section>
  );
}
