/** Opens the help of a screen: by a button in its head, or by a key (keys.ts). The help loads at the first use. */
import { signal } from '@preact/signals';
import { CircleQuestionMark } from 'lucide';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ScreenPattern } from '../help/screens.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';

const isOpen = signal(false);

/** Opens the help of the screen. */
export function openHelp(): void {
  isOpen.value = true;
}

export function HelpButton() {
  return (
    <button type="button" class="button plain help-button" aria-keyshortcuts="? F1" onClick={openHelp}>
      <Icon of={CircleQuestionMark} />
      <span>{t().nav.help}</span>
    </button>
  );
}

type HelpProps = { screen: ScreenPattern; onClose: () => void };

/** Shows the help of a screen while it is open. */
export function Help({ screen }: { screen: ScreenPattern }) {
  useEffect(() => close, []);
  return isOpen.value ? <Loading screen={screen} onClose={close} /> : null;
}

function close(): void {
  isOpen.value = false;
}

function Loading(props: HelpProps) {
  const [Loaded, setLoaded] = useState<ComponentType<HelpProps> | undefined>();
  useEffect(() => {
    // If loading fails, the help closes without an error screen. The user can try again.
    import('./help.tsx')
      .then(async ({ HelpDialog, loadHelp }) => {
        await loadHelp();
        setLoaded(() => HelpDialog);
      })
      .catch(close);
  }, []);
  return Loaded === undefined ? null : <Loaded {...props} />;
}
