/** Prints: the page shows only the paper while the browser's dialog is open. Printing needs no request. */
import { type ComponentChild, render } from 'preact';
import type { Paper } from './paper.ts';
import { PAPERS } from './paper.ts';

const MM_PER_PX = 25.4 / 96;

/** The size of a page: a paper, or the size of a label. */
export type PageSize = Paper | { widthMm: number; heightMm: number };

/** Shows content as paper until the returned function is called. */
export async function showPaper(content: ComponentChild, size: PageSize): Promise<() => void> {
  const root = document.createElement('div');
  root.className = 'print-root';
  const page = new CSSStyleSheet();
  const close = () => {
    document.documentElement.classList.remove('is-printing');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== page);
    render(null, root);
    root.remove();
  };
  document.body.append(root);
  try {
    render(content, root);
    await loaded(root);
    page.replaceSync(`@page { ${pageRule(size, root)} }`);
    document.adoptedStyleSheets.push(page);
    document.documentElement.classList.add('is-printing');
    return close;
  } catch (error) {
    // Removes the paper that failed. Every root in the page is printed, so the next print would contain this paper.
    close();
    throw error;
  }
}

/** Opens the browser's print dialog; resolves when it is closed. */
export async function printPaper(content: ComponentChild, size: PageSize): Promise<void> {
  const close = await showPaper(content, size);
  try {
    const isClosed = new Promise((resolve) => addEventListener('afterprint', resolve, { once: true }));
    print();
    await isClosed;
  } finally {
    close();
  }
}

function pageRule(size: PageSize, root: HTMLElement): string {
  if (typeof size !== 'string') return `size: ${size.widthMm}mm ${size.heightMm}mm; margin: 0`;
  const { widthMm, heightMm, marginMm } = PAPERS[size];
  // A roll has no fixed height, so the pages end where the longest document ends.
  root.style.width = `${widthMm - 2 * marginMm}mm`;
  const longest = Math.max(...[...root.children].map(({ scrollHeight }) => scrollHeight));
  const height = heightMm ?? Math.ceil(longest * MM_PER_PX) + 2 * marginMm + 2;
  root.style.width = '';
  return `size: ${widthMm}mm ${height}mm; margin: ${marginMm}mm`;
}

/**
 * Time limit for loading a logo. The document is then printed without it, because some networks never respond although
 * the browser is online.
 */
const LOGO_MS = 3000;

/** Waits for the fonts and pictures. A logo that cannot be loaded in time is left out. */
async function loaded(root: HTMLElement): Promise<void> {
  await document.fonts.ready;
  const images = [...root.querySelectorAll('img')];
  await Promise.all(
    images.map(async (image) => {
      const isLate = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), LOGO_MS));
      const isBroken = image.decode().then(
        () => false,
        () => true,
      );
      if (await Promise.race([isLate, isBroken])) image.remove();
    }),
  );
}
