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
