/** Parts of a screen that load separately, so that the screen starts faster. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { cover } from './cover.ts';
import { ErrorNotice } from './notice.tsx';

/**
 * Returns a component that loads with `load` and shows nothing until then. If it cannot be loaded, it shows the error
 * with a button to try again. `preload` loads it before it is shown.
 * @param isLast true if nothing is below the part, so that a new screen does not wait for it
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isLast?: boolean,
): ComponentType<P> & { preload: () => void } {
  let loaded: ComponentType<P> | undefined;
  const loading = async () => {
    loaded = await load();
    return loaded;
  };
  function Lazy(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<unknown>();
    const get = () => {
      setError(undefined);
      void loading()
        .then((part) => setPart(() => part), setError)
        .then(isLast === true ? undefined : cover());
    };
    // A layout effect runs before the first paint, so a new screen is covered in time.
    useLayoutEffect(() => {
      if (loaded === undefined) get();
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    return error === undefined ? null : <ErrorNotice error={error} onRetry={get} />;
  }
  return Object.assign(Lazy, { preload: () => void loading().catch(() => undefined) });
}
