/** Signing out: work that is not sent is named first, and what is kept of the person leaves the device. */
import { LogOut } from 'lucide';
import { useState } from 'preact/hooks';
import { go } from '../router.ts';
import { sendSession } from '../send-session.ts';
import { signedOut } from '../session.ts';
import { t } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { outbox } from './index.ts';

async function signOut(): Promise<void> {
  // What waits is still sent in the name of its owner; without it the service takes nothing more from this device in that name.
  const path = outbox.ownWaiting.value > 0 ? '?work=WAITS' : '';
  await sendSession('DELETE', path).catch(() => undefined);
  signedOut();
  await outbox.as(undefined).catch(() => undefined);
  go('/');
}

export function SignOutButton() {
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
          else void signOut();
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
          onAct={() => void signOut()}
        >
          <p>{sync.signOutHint(outbox.ownWaiting.value)}</p>
        </AskDialog>
      )}
    </>
  );
}
