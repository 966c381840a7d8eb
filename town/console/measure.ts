/** Layout measurements on a page of the console. */
import type { Page } from 'playwright-core';

/**
 * Returns one text for each element whose content extends beyond an edge, so that the page scrolls sideways or the
 * content is clipped. Areas that scroll by design (wide tables, tabs) and lines that end in "…" are left out.
 */
export function beyondEdge(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const name = (one: Element, px: number) => `${Math.round(px)} px: ${one.outerHTML.slice(0, 140)}`;
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(name(root, root.scrollWidth - root.clientWidth));
    for (const one of document.body.querySelectorAll<HTMLElement>('*')) {
      const style = getComputedStyle(one);
      // Skip texts that only screen readers read, and elements whose box says nothing about the layout: SVG parts,
      // options, inline elements.
      if (one.closest('.visually-hidden, .skip, svg, option') !== null || style.display === 'inline') continue;
      const isCut = style.overflowX === 'hidden' || style.overflowX === 'clip';
      if (isCut && style.textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1)
        found.push(name(one, one.scrollWidth - one.clientWidth));
      const { left, right, width } = one.getBoundingClientRect();
      if (width === 0 || (right <= root.clientWidth + 1 && left >= -1)) continue;
      let above = one.parentElement;
      while (above !== null && !/auto|scroll/.test(getComputedStyle(above).overflowX)) above = above.parentElement;
      if (above === null) found.push(name(one, Math.max(right - root.clientWidth, -left)));
    }
    return found;
  });
}

/** The sum of the layout shifts of a page since its start, and a text for each moved element. */
interface Shift {
  sum: number;
  moved: string[];
}

/** An entry of the type `layout-shift`, for which TypeScript's library has no type. */
interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Sums the layout shifts that do not follow an input of the user. Runs in the page, before the scripts of the page. */
export function watchShifts(): void {
  let sum = 0;
  const moved: string[] = [];
  const boxOf = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
  const add = (entries: PerformanceEntryList) => {
    for (const entry of entries as unknown as LayoutShift[]) {
      if (entry.hadRecentInput) continue;
      sum += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources) {
        const name = `${node?.parentElement?.className ?? ''} > ${node?.nodeName} ${(node as Element | null)?.className ?? ''}`;
        moved.push(`${name} (${boxOf(previousRect)} to ${boxOf(currentRect)})`);
      }
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  (globalThis as unknown as { shiftHere: () => Shift }).shiftHere = () => {
    add(observer.takeRecords());
    return { sum, moved };
  };
}

/** Returns the layout shifts of a page that has run `watchShifts`. */
export function shiftOf(page: Page): Promise<Shift> {
  return page.evaluate(() => (globalThis as unknown as { shiftHere: () => Shift }).shiftHere());
}
