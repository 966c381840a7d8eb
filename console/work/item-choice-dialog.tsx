/** Asks which of the items of a scanned code is meant. */
import { isOneOf } from '../scan/codes.ts';
import { untaken } from '../scan/queue.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useScan } from './use-scan.ts';

/** An item that has the scanned code. */
export interface FoundItem {
  itemId: string;
  name: string;
}

/** Shows the items. The user presses one, or scans or types an item id. */
export function ChoiceDialog({
  items,
  onChoose,
}: {
  items: readonly FoundItem[];
  onChoose: (item: FoundItem | undefined) => void;
}) {
  useScan((scan) => {
    const fitting = items.filter(({ itemId }) => isOneOf(scan.text, [itemId]));
    if (scan.command === 'UNDO') onChoose(undefined);
    else if (fitting.length === 1) onChoose(fitting[0]);
    // Shows the code as not handled. Otherwise the screen, which waits for the choice, would handle this code afterwards.
    else untaken.value = scan;
  });
  const onClose = () => onChoose(undefined);
  return (
    <Dialog
      title={t().items.several}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t().actions.cancel}</Button>}
    >
      <ul class="stack tight">
        {items.map((item) => (
          <li key={item.itemId}>
            <Button isWide onClick={() => onChoose(item)}>
              {item.name} <span class="small code">{item.itemId}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
