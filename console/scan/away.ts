/**
 * Keeps the page in place while codes are scanned: the browser scrolls a field with the focus into view at every key. A
 * scan target above the view gets an attribute. With it, `scan.css` makes the field invisible and fixes it to the view.
 */
export function startAway(): void {
  const mark = () => {
    for (const frame of document.querySelectorAll('.scan-target-frame')) {
      frame.toggleAttribute('data-away', frame.getBoundingClientRect().bottom < 0);
    }
  };
  addEventListener('scroll', mark, { passive: true });
}
