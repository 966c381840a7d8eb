/** Signing out: warns about unsent work first, and removes the user's other data from the device. */
import { LogOut } from 'lucide';
import { useState } from 'preact/hooks';
import { signOut as endSession } from '../idle.ts';
import { go } from '../router.ts';
import { session } from '../session.ts';
import { t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { outbox } from './index.ts';

/**
 * Number of commands of the user that the device sends after the sign-out. The sign-out discards the work of a
 * training.
 */
const unsent = () => (session.value?.training === true ? 0 : outbox.ownWaiting.value);

function signOut(): void {
  // With `work=WAITS`, the service accepts the user's waiting commands from this device after the sign-out; without it,
  // the service rejects them. In a training, the sign-out also ends the real session of the user, whose commands
  // `ownWaiting` does not count.
  const { waiting, ownWaiting, left } = outbox;
  const others = waiting.value - ownWaiting.value + left.value.length;
  const waits = session.value?.training === true ? others > 0 : unsent() > 0;
  endSession(waits ? '?work=WAITS' : '');
  go('/');
}

export default function SignOutButton() {
  const { sync } = t();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        isWide
        look="danger"
        icon={LogOut}
        onClick={() => {
          if (unsent() > 0) setAsking(true);
          else signOut();
        }}
      >
        {t().signIn.signOut}
      </Button>
      {isAsking && (
        <AskDialog
          title={sync.signOutTitle}
          onClose={() => setAsking(false)}
          act={sync.signOutAnyway}
          look="danger"
          onAct={signOut}
        >
          <p>{sync.signOutHint(unsent())}</p>
        </AskDialog>
      )}
    </>
  );
}
