/** The form of a row of a list. */
import { useRef, useState } from 'preact/hooks';
import { useAction } from '../ui/load.tsx';

/**
 * The row whose form is open, or 'new'. A row is read again when it is opened, because the list can be hours old.
 * Otherwise, the PUT of the form would write old values back.
 */
export function useOpenRow<T>(read: (row: T) => Promise<T>) {
  const [open, setOpen] = useState<T | 'new' | undefined>();
  const choices = useRef(0);
  const reading = useAction(async (row: T) => {
    const own = choices.current;
    const shown = await read(row);
    // The user may have opened or closed another form in the meantime.
    if (own === choices.current) setOpen(shown);
  });
  const choose = (one: 'new' | undefined) => {
    choices.current += 1;
    reading.clear();
    setOpen(one);
  };
  return {
    row: open,
    error: reading.error,
    open: (row: T) => void reading.run(row),
    add: () => choose('new'),
    close: () => choose(undefined),
  };
}
