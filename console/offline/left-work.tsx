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
import { outbox } from './index.ts';

export function LeftWork({ commands }: { commands: readonly Kept[] }) {
  const { sync } = t();
  const [saved, setSaved] = useState<readonly Kept[]>([]);
  const names = [...new Set(commands.map(({ owner }) => owner.name))].join(', ');
  const save = () => {
    const exportedAt = new Date().toISOString();
    const name = `backroom-unsent-${exportedAt.slice(0, 16).replace(/\D/g, '')}.json`;
    download(name, `${JSON.stringify({ exportedAt, waiting: commands }, undefined, 2)}\n`, 'application/json');
    setSaved(commands);
  };
  // Only what is in the file is deleted.
  const deleting = useAction(() => deleteLeft(saved));
  return (
    <Notice look="info" title={sync.left(commands.length, names)}>
      {may('supervise') && (
        <>
          <p>{sync.leftHint}</p>
          <Button icon={Download} onClick={save}>
            {sync.file}
          </Button>
          {saved.length > 0 && (
            <Button look="danger" icon={Trash2} isBusy={deleting.isBusy} onClick={() => void deleting.run()}>
              {sync.leftDelete}
            </Button>
          )}
          {deleting.error !== undefined && <ErrorNotice error={deleting.error} />}
        </>
      )}
    </Notice>
  );
}

function deleteLeft(commands: readonly Kept[]): Promise<void> {
  return outbox.alone(async (database) => {
    const tx = database.transaction(['commands', 'conflicts'], 'readwrite', { durability: 'strict' });
    for (const { seq, lane } of commands) {
      await Promise.all([tx.objectStore('commands').delete(seq), tx.objectStore('conflicts').delete(lane)]);
    }
    await tx.done;
  });
}
