/** Paper as a printer prints it, in dots of 203 or 300 per inch, and the codes that a scanner reads from it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const { resolve } = createRequire(import.meta.url);
const wasm = readFileSync(resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({
  overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) },
});

const POINTS_PER_INCH = 72;

/** A picture of black and white dots. */
export interface Raster {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

interface CanvasOf {
  canvas: { width: number; height: number };
  context: CanvasRenderingContext2D;
}

export interface PdfPage extends Raster {
  widthMm: number;
  heightMm: number;
}

/** Returns the pages of a PDF at a resolution. Every dot is black or white, as on thermal and laser printers. */
export async function pagesOf(pdf: Uint8Array, dpi: number): Promise<PdfPage[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false }).promise;
  // Uses the document's own canvas factory, because a canvas of another version of the package does not accept the paths
  // of the document.
  const factory = document.canvasFactory as { create: (width: number, height: number) => CanvasOf };
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: dpi / POINTS_PER_INCH });
    const { canvas, context } = factory.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    await page.render({ canvas: null, canvasContext: context, viewport }).promise;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const mm = (dots: number) => (dots / dpi) * 25.4;
    pages.push({
      ...dotted({ width: canvas.width, height: canvas.height, data: new Uint8ClampedArray(data) }),
      widthMm: mm(viewport.width),
      heightMm: mm(viewport.height),
    });
  }
  await document.destroy();
  return pages;
}

/** Makes every dot black or white: a grey dot is black if it is darker than medium grey. */
function dotted(raster: Raster): Raster {
  const { data } = raster;
  for (let at = 0; at < data.length; at += 4) {
    const dark = (data[at]! + data[at + 1]! + data[at + 2]!) / 3 < 128 ? 0 : 255;
    data[at] = dark;
    data[at + 1] = dark;
    data[at + 2] = dark;
    data[at + 3] = 255;
  }
  return raster;
}

/**
 * Draws the solid boxes of a ZPL label as a printer does; leaves out the text. @throws Error for a box that is not
 * solid.
 */
export function rasterOfZpl(zpl: string): Raster {
  const number = (command: string) => Number(new RegExp(`\\^${command}(\\d+)`).exec(zpl)?.[1]);
  const [width, height] = [number('PW'), number('LL')];
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [, x, y, wide, high, thick] of zpl.matchAll(/\^FO(\d+),(\d+)\^GB(\d+),(\d+),(\d+)\^FS/g)) {
    // A box is solid if its line is as thick as the box is wide or high.
    if (Number(thick) < Math.min(Number(wide), Number(high))) throw new Error('a box with a hole');
    for (let row = Number(y); row < Number(y) + Number(high); row += 1) {
      for (let column = Number(x); column < Number(x) + Number(wide); column += 1) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return { width, height, data };
}

/**
 * Aids of the reader that are switched off. A printed code needs no aid: it is upright, black on white and large
 * enough.
 */
const AIDS = { tryRotate: false, tryInvert: false, tryDownscale: false, tryDenoise: false } as const;

/** Returns the valid codes in a picture. */
export async function codesIn({ width, height, data }: Raster): Promise<string[]> {
  const image = { width, height, data, colorSpace: 'srgb' } as ImageData;
  const found = await readBarcodes(image, { tryHarder: true, ...AIDS, maxNumberOfSymbols: 20, textMode: 'Plain' });
  return found.filter(({ isValid }) => isValid).map(({ text }) => text);
}
