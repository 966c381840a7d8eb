/** A code on paper: an SVG in mm with crisp edges, black on white in every theme, with its text below. */
import { useMemo } from 'preact/hooks';
import { type CodeText, fitting, type Pattern } from './symbols.ts';

/** Height of the bars if `heightMm` is absent. */
const HEIGHT_MIN_MM = 10;
const CAPTION_MM = 3.2;

export function PrintedCode({ code, widthMm, heightMm }: { code: CodeText; widthMm: number; heightMm?: number }) {
  const fitted = useMemo(() => fitting(code, { widthMm }), [code.symbology, code.text, widthMm]);
  return <PrintedPattern {...fitted} {...(heightMm !== undefined && { heightMm })} />;
}

/** A pattern on paper. `captionMm` is the height of the letters below it. */
export function PrintedPattern({
  pattern,
  moduleMm,
  heightMm = HEIGHT_MIN_MM,
  captionMm = CAPTION_MM,
}: {
  pattern: Pattern;
  moduleMm: number;
  heightMm?: number;
  captionMm?: number | undefined;
}) {
  const { width, height, quiet, isMatrix, dark } = pattern;
  const across = width + 2 * quiet;
  const rows = isMatrix ? height + 2 * quiet : heightMm / moduleMm;
  const top = isMatrix ? quiet : 0;
  const barHeight = isMatrix ? 1 : rows;
  const path = dark
    .map(({ x, y, width: w, height: h }) => `M${x + quiet} ${y + top}h${w}v${isMatrix ? h : barHeight}h${-w}z`)
    .join('');
  return (
    <figure class="printed-code">
      <svg
        role="img"
        aria-label={pattern.human === '' ? undefined : pattern.human}
        width={`${across * moduleMm}mm`}
        height={`${rows * moduleMm}mm`}
        viewBox={`0 0 ${across} ${rows}`}
        shape-rendering="crispEdges"
      >
        <rect width={across} height={rows} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      {pattern.human !== '' && <figcaption style={{ fontSize: `${captionMm}mm` }}>{pattern.human}</figcaption>}
    </figure>
  );
}
