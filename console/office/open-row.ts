/** The form of a row of a list. */
import { useState } from 'preact/hooks';
import { useAction } from '../ui/load.tsx';

/**
 * The row whose form is open, or 'new'. A row is read again when it is opened: the list can be hours old, and the PUT
 * of the form would write its old values back.
 */
export function useOpenRow<T>(read: (row: T) => Promise<T>) {
  const [open, setOpen] = useState<T | 'new' | undefined>();
  const reading = useAction(async (row: T) => setOpen(await read(row)));
  return {
    row: open,
    error: reading.error,
    open: (row: T) => void reading.run(row),
    add: () => setOpen('new'),
    close: () => setOpen(undefined),
  };
}
