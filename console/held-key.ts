/**
 * Starts to ignore the repeats of Enter on a button: the browser presses the button repeatedly while the key is held
 * down.
 */
export function startHeldKey(): void {
  addEventListener('keydown', (event) => {
    // Ignores the repeats, because each of them acts on the next item.
    if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault();
  });
}
