/**
 * Starts to ignore the repeats of Enter on a button or in a field: the browser presses the button, or submits the form,
 * repeatedly while the key is held down.
 */
export function startHeldKey(): void {
  addEventListener('keydown', (event) => {
    // Each repeat would act on the next item, or count as another wrong password.
    const { target } = event;
    const acts = target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
    if (event.repeat && event.key === 'Enter' && acts) event.preventDefault();
  });
}
