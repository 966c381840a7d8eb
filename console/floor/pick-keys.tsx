/** The keys of picking. */
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function Keys({ onClose }: { onClose: () => void }) {
  const { pick, actions } = t();
  const { keys } = pick;
  const rows = [
    ['Enter', keys.scan],
    ['F4', keys.one],
    ['F2', keys.short],
    ['F8 / Ctrl Z', keys.undo],
    [keys.arrows, keys.next],
    ['F9', keys.main],
    ['F1', keys.help],
  ];
  return (
    <Dialog
      title={pick.keysTitle}
      onClose={onClose}
      actions={
        <Button look="main" onClick={onClose}>
          {actions.close}
        </Button>
      }
    >
      <dl class="facts">
        {rows.map(([key, what]) => (
          <>
            <dt>
              <kbd class="kbd">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <p>{keys.cards}</p>
    </Dialog>
  );
}
