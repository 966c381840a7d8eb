/** Codes as patterns of dark modules, from bwip-js. Screens, paper and label printers draw the same pattern. */
import { code128, ean8, ean13, gs1_128, itf14, qrcode, upca } from 'bwip-js/generic';
import { hasCheckDigit } from '../../src/shared/gs1.ts';

/** `AUTO`: the GTIN's own symbology if the code is a GTIN, otherwise Code 128. `SSCC`: GS1-128 with 18 digits. */
export type Symbology = 'AUTO' | 'CODE128' | 'SSCC' | 'QR';

export interface CodeText {
  symbology: Symbology;
  text: string;
  /** True if the code is a secret. Its text is then not printed below the code. */
  isSecret?: boolean;
}

/** Dark rectangles, measured in modules. A linear code has one row of bars. */
export interface Pattern {
  isMatrix: boolean;
  /** Width in modules, without the quiet zone. */
  width: number;
  height: number;
  dark: readonly Rectangle[];
  /** White modules on each side. */
  quiet: number;
  /** The readable text below the code. */
  human: string;
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Width of quiet zones, in modules: 10 on each side of a linear code (EAN needs 11), 4 around a QR code. */
const QUIET_LINEAR = 10;
const QUIET_EAN = 11;
const QUIET_MATRIX = 4;

/** Returns the pattern of a code. */
export function patternOf({ isSecret = false, ...code }: CodeText): Pattern {
  const pattern = plainPatternOf(code);
  return isSecret ? { ...pattern, human: '' } : pattern;
}

function plainPatternOf({ symbology, text }: CodeText): Pattern {
  // Text with other characters than ASCII becomes a QR code. Scanners read the letters of linear codes as ASCII or
  // Latin-1, but the encoder writes them as UTF-8.
  if (symbology === 'QR' || !/^[ -~]*$/.test(text)) return matrix(text);
  if (symbology === 'SSCC') return linear(gs1_128, `(00)${text}`, QUIET_LINEAR, `(00) ${text}`);
  if (symbology === 'AUTO' && hasCheckDigit(text)) {
    if (text.length === 8) return linear(ean8, text, QUIET_EAN);
    if (text.length === 12) return linear(upca, text, QUIET_EAN);
    if (text.length === 13) return linear(ean13, text, QUIET_EAN);
    if (text.length === 14)
      return text.startsWith('0') ? linear(ean13, text.slice(1), QUIET_EAN) : linear(itf14, text, QUIET_LINEAR);
  }
  return linear(code128, text, QUIET_LINEAR);
}

type Encoder = typeof code128;

function linear(encoder: Encoder, text: string, quiet: number, human = text): Pattern {
  const { bars } = encoder({ bcid: '', text, scale: 1, height: 10 }, recorder());
  const dark = bars.map(({ x, width }) => ({ x, y: 0, width, height: 1 }));
  const from = Math.min(...dark.map(({ x }) => x));
  const width = Math.max(...dark.map((bar) => bar.x + bar.width)) - from;
  return { isMatrix: false, width, height: 1, dark: dark.map((bar) => ({ ...bar, x: bar.x - from })), quiet, human };
}

function matrix(text: string): Pattern {
  const { size, polygons } = qrcode({ bcid: '', text, scale: 1, eclevel: 'M' } as Parameters<Encoder>[0], recorder());
  const dark: Rectangle[] = [];
  for (let y = 0; y < size; y += 1) {
    let from = -1;
    for (let x = 0; x <= size; x += 1) {
      const isDark = x < size && isInside(polygons, x + 0.5, y + 0.5);
      if (isDark && from === -1) from = x;
      if (!isDark && from !== -1) {
        dark.push({ x: from, y, width: x - from, height: 1 });
        from = -1;
      }
    }
  }
  return { isMatrix: true, width: size, height: size, dark, quiet: QUIET_MATRIX, human: text };
}

type Point = readonly [number, number];

/** Returns whether a point is inside the polygons. A polygon inside another one is a hole. */
function isInside(polygons: readonly (readonly Point[])[], x: number, y: number): boolean {
  let inside = false;
  for (const points of polygons) {
    for (const [at, [x1, y1]] of points.entries()) {
      const [x2, y2] = points[(at + 1) % points.length]!;
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    }
  }
  return inside;
}

interface Recorded {
  size: number;
  bars: { x: number; width: number }[];
  polygons: Point[][];
}

/** Returns a drawing context for bwip-js that records the shapes. */
function recorder() {
  const recorded: Recorded = { size: 0, bars: [], polygons: [] };
  return {
    scale: (): [number, number] => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width: number) => {
      recorded.size = width;
    },
    // `x` is the middle of a bar; bwip-js rounds it up if the width is odd.
    line: (x: number, _y0: number, _x1: number, _y1: number, width: number) => {
      recorded.bars.push({ x: x - Math.floor((width + 1) / 2), width });
    },
    polygon: (points: [number, number][]) => {
      recorded.polygons.push(points);
    },
    hexagon: () => undefined,
    ellipse: () => undefined,
    fill: () => undefined,
    text: () => undefined,
    end: () => recorded,
  };
}

/** The smallest module for cheap printers and scanners: 3 dots at 203 dpi. */
const MODULE_MIN_MM = 0.375;
const MODULE_MAX_MM = { linear: 0.5, matrix: 0.75 };
const MODULE_STEP_MM = 0.125;

/**
 * The room for a code and its quiet zones. The height limits matrix codes only: bars can have any height. `dpi` is the
 * resolution of a label printer.
 */
export interface Room {
  widthMm: number;
  matrixMm?: number;
  dpi?: number | undefined;
}

const MM_PER_INCH = 25.4;

/** Returns the size of a printed module in mm: whole dots on a label printer. */
function printed(moduleMm: number, dpi: number | undefined): number {
  if (dpi === undefined) return moduleMm;
  // Rounded up: scanners read a module that is a dot too wide better than one that is a dot too narrow.
  return (Math.ceil((moduleMm * dpi) / MM_PER_INCH - 0.1) * MM_PER_INCH) / dpi;
}

/**
 * Returns the largest printed module, in mm, with which a pattern and its quiet zones fit into a room. Undefined if
 * even the smallest module is too large.
 */
export function moduleFor(
  { width, quiet, isMatrix }: Pattern,
  { widthMm, matrixMm = widthMm, dpi }: Room,
): number | undefined {
  const most = isMatrix ? Math.min(widthMm, matrixMm) : widthMm;
  // Printed modules are whole dots, so a code may be up to one dot wider than its room: 0.375 mm are 2.997 dots at 203
  // dpi.
  const slack = dpi === undefined ? 1e-9 : MM_PER_INCH / dpi;
  const largest = isMatrix ? MODULE_MAX_MM.matrix : MODULE_MAX_MM.linear;
  for (let moduleMm = largest; moduleMm >= MODULE_MIN_MM; moduleMm -= MODULE_STEP_MM) {
    const printedMm = printed(moduleMm, dpi);
    if (printedMm * (width + 2 * quiet) <= most + slack) return printedMm;
  }
  return undefined;
}

/**
 * Returns the pattern of a code that fits into the room. If a linear code is too wide, a QR code with the same text
 * takes its place.
 */
export function fitting(code: CodeText, room: Room): { pattern: Pattern; moduleMm: number } {
  const pattern = patternOf(code);
  const moduleMm = moduleFor(pattern, room);
  if (moduleMm !== undefined) return { pattern, moduleMm };
  const square = patternOf({ ...code, symbology: 'QR' });
  return { pattern: square, moduleMm: moduleFor(square, room) ?? printed(MODULE_MIN_MM, room.dpi) };
}
