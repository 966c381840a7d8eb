/** Asks before something is deleted that the user cannot restore. */
import { Trash2 } from 'lucide';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

export function AskDelete({
  title,
  hint,
  act,
  run,
  onClose,
}: {
  title: string;
  hint: string;
  act: string;
  run: () => Promise<void>;
  onClose: () => void;
}) {
  const action = useAction(run);
  return (
    <AskDialog
      title={title}
      onClose={onClose}
      act={act}
      look="danger"
      icon={Trash2}
      isBusy={action.isBusy}
      onAct={() => void action.run()}
    >
      <p>{hint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}
