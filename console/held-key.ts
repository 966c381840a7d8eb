/** Starts to ignore the repeats of Enter on a button. The browser presses it again while the key is held down. */
export function startHeldKey(): void {
  addEventListener('keydown', (event) => {
    // Each press would act on the next item.
    if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault();
  });
}
