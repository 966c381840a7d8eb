/** Work of other users that waits for them. A lead can save it as a file and delete it from the device. */
import { Download, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { may } from '../session.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { download } from '../ui/table.tsx';
import type { Kept } from './commands.ts';
import { deleteLeft, leftText, unsentName } from './given-up.ts';
import { outbox } from './index.ts';

export function LeftWork({ commands }: { commands: readonly Kept[] }) {
  const { sync } = t();
  const [saved, setSaved] = useState<readonly Kept[]>([]);
  const names = [...new Set(commands.map(({ owner }) => owner.name))].join(', ');
  const saving = useAction(async () => {
    download(unsentName(), await leftText(outbox, commands), 'application/json');
    setSaved(commands);
  });
  // Deletes only the commands that are in the saved file.
  const deleting = useAction(() => deleteLeft(outbox, saved));
  const error = saving.error ?? deleting.error;
  return (
    <Notice look="info" title={sync.left(commands.length, names)}>
      {may('supervise') && (
        <>
          <p>{sync.leftHint}</p>
          <Button icon={Download} isBusy={saving.isBusy} onClick={() => void saving.run()}>
            {sync.file}
          </Button>
          {saved.length > 0 && (
            <Button look="danger" icon={Trash2} isBusy={deleting.isBusy} onClick={() => void deleting.run()}>
              {sync.leftDelete}
            </Button>
          )}
          {error !== undefined && <ErrorNotice error={error} />}
        </>
      )}
    </Notice>
  );
}
