/** Opens the help of a screen: by a button in its head, or by a key (keys.ts). The frame shows it. */
import { signal } from '@preact/signals';
import { CircleQuestionMark } from 'lucide';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';

export const isHelpOpen = signal(false);

/** Opens the help of the screen, or closes the notice that the help could not be loaded. */
export function toggleHelp(): void {
  isHelpOpen.value = !isHelpOpen.value;
}

export function closeHelp(): void {
  isHelpOpen.value = false;
}

export function HelpButton() {
  return (
    <button type="button" class="button plain help-button" aria-keyshortcuts="? F1" onClick={toggleHelp}>
      <Icon of={CircleQuestionMark} />
      <span>{t().nav.help}</span>
    </button>
  );
}
