/** Signing out: warns about unsent work first, and removes the user's other data from the device. */
import { LogOut } from 'lucide';
import { useState } from 'preact/hooks';
import { signOut as endSession } from '../idle.ts';
import { go } from '../router.ts';
import { t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { outbox } from './index.ts';

function signOut(): void {
  // With `work=WAITS`, the service still accepts the user's waiting commands from this device after the sign-out.
  // Without it, the service rejects them.
  const path = outbox.ownWaiting.value > 0 ? '?work=WAITS' : '';
  endSession(path);
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
          if (outbox.ownWaiting.value > 0) setAsking(true);
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
          <p>{sync.signOutHint(outbox.ownWaiting.value)}</p>
        </AskDialog>
      )}
    </>
  );
}
