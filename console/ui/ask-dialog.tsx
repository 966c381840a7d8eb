/** A dialog with one question: the user confirms the action or cancels it. */
import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { shellTexts as t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface AskDialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
  isPanel?: boolean;
  /** Text of the action's button. */
  act: ComponentChildren;
  onAct: () => void;
  look?: 'main' | 'danger';
  icon?: IconNode;
  isBusy?: boolean;
  /** The reason why the action is not possible now. */
  blocked?: string | undefined;
  /** True if Enter in a field runs the action, too. */
  takesEnter?: boolean;
}

export function AskDialog(props: AskDialogProps) {
  const { title, children, onClose, isPanel = false, act, onAct, look = 'main', icon, isBusy, blocked } = props;
  const isOff = blocked !== undefined || isBusy === true;
  return (
    <Dialog
      isPanel={isPanel}
      title={title}
      onClose={onClose}
      {...(props.takesEnter === true && { onSubmit: () => !isOff && onAct() })}
      actions={
        <>
          <Button onClick={onClose}>{t().actions.cancel}</Button>
          <Button look={look} icon={icon} isBusy={isBusy} blocked={blocked} onClick={onAct}>
            {act}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
