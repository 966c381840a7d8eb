/** Parts of a screen that are loaded when they are first shown: dialogs that few visits open. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The part that `load` loads; nothing is shown until it is there. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded !== undefined) return;
      void load().then((part) => {
        loaded = part;
        setPart(() => part);
      });
    }, []);
    return Part === undefined ? null : <Part {...props} />;
  };
}
