/** Covers the content of a new screen until all of its parts have arrived, so that no part moves another one. */

/** Number of parts that are loading. */
let parts = 0;

/** Returns whether parts of the screen are still loading. */
export const isCovered = (): boolean => parts > 0;

/**
 * Covers new screens until the returned function is called, at most for the time limit in `shell.css`. A screen that is
 * already visible remains visible.
 */
export function cover(): () => void {
  const { dataset } = document.documentElement;
  parts += 1;
  dataset['covered'] = '';
  // A part that replaces this one in the same render is counted before the microtask runs, so the screen remains covered.
  return () =>
    queueMicrotask(() => {
      parts -= 1;
      if (parts === 0) delete dataset['covered'];
    });
}
