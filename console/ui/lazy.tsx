/** Parts of a screen that are loaded when they are first shown: what few visits open. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNotice } from './notice.tsx';

/**
 * The part that `load` loads; nothing is shown until it is there.
 *
 * @param Failed what is shown where it cannot be loaded; default: the error, with a way to try again
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
      load().then((part) => {
        loaded = part;
        setPart(() => part);
      }, setError);
    };
    useEffect(() => {
      if (loaded === undefined) get();
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    if (error === undefined) return null;
    return Failed === undefined ? <ErrorNotice error={error} onRetry={get} /> : <Failed {...props} />;
  };
}
