/** Tells whether a screen is still open when a request ends. */
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Returns a function that tells whether the screen is still open. A scan or tap that takes long must not open its
 * result over the screen that the user has opened in the meantime.
 */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(true);
  useLayoutEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  return () => isOpen.current;
}
