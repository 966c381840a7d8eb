/**
 * The help of one screen: its purpose, the codes to scan, its keys, and the work that is possible without the network.
 */
import { ExternalLink } from 'lucide';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { SERVICE } from '../api.ts';
import type { ScreenPattern } from '../help/screens.ts';
import { onScan } from '../scan/queue.ts';
import type { HelpMessages } from '../texts/help.ts';
import { type Language, language, pseudo, shellTexts as t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { HELP, keysOf } from './screens.ts';

const LOADERS: Record<Language, () => Promise<{ help: HelpMessages }>> = {
  en: () => import('../texts/en/help.ts'),
  de: () => import('../texts/de/help.ts'),
  es: () => import('../texts/es/help.ts'),
};

interface HelpProps {
  screen: ScreenPattern;
  onClose: () => void;
}

/** Shows the help. Each opening loads the texts, because the user may have changed the language. */
export function Help(props: HelpProps) {
  const [Loaded] = useState(() =>
    lazy(async () => {
      const texts = pseudo((await LOADERS[language.peek()]()).help);
      return (shown: HelpProps) => <HelpDialog texts={texts} {...shown} />;
    }),
  );
  useEffect(() => props.onClose, []);
  return <Loaded {...props} />;
}

function HelpDialog({ texts, screen, onClose }: HelpProps & { texts: HelpMessages }) {
  const { name, what, scan, offline } = texts.screens[screen];
  useLayoutEffect(
    () =>
      onScan(
        () => {
          // A scan closes the help, and the screen below handles the code.
          onClose();
          return false;
        },
        // While the screens are locked, only the help of the sign-in is open.
        { isOverLock: true },
      ),
    [],
  );
  const parts = [
    [texts.what, what],
    [texts.scan, scan],
    [texts.offline, offline],
  ];
  return (
    <Dialog
      title={name}
      isText
      onClose={onClose}
      actions={
        <Button look="main" onClick={onClose}>
          {t().actions.close}
        </Button>
      }
    >
      <div class="stack help">
        {parts.map(([title, text]) => (
          <section>
            <h3>{title}</h3>
            <p>{text}</p>
          </section>
        ))}
        <section>
          <h3>{texts.keys}</h3>
          <dl class="help-keys">
            {keysOf(screen, texts.keyNames).map(({ keys, word }) => (
              <div>
                <dt>
                  {keys.map((key) => (
                    <kbd class="kbd">{key}</kbd>
                  ))}
                </dt>
                <dd>{texts.keyWords[word]}</dd>
              </div>
            ))}
          </dl>
        </section>
        <a class="help-guide" href={`${SERVICE}/guide/${HELP[screen].guide}`} target="_blank" rel="noopener">
          <Icon of={ExternalLink} />
          {texts.guide}
        </a>
      </div>
    </Dialog>
  );
}
