/** Parts of a screen that load when they are first shown, because users rarely open them. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { cover } from './cover.ts';
import { ErrorNotice } from './notice.tsx';

/**
 * Returns a component that loads with `load` and shows nothing until then.
 *
 * @param Failed the component to show if it cannot be loaded; default: the error with a button to try again
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Failed?: ComponentType<P>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<unknown>();
    const get = () => {
      setError(undefined);
      load()
        .then((part) => {
          loaded = part;
          setPart(() => part);
        }, setError)
        .then(cover());
    };
    // Before the first paint, so that a new screen is covered in time.
    useLayoutEffect(() => {
      if (loaded === undefined) get();
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    if (error === undefined) return null;
    return Failed === undefined ? <ErrorNotice error={error} onRetry={get} /> : <Failed {...props} />;
  };
}
