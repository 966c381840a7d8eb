/** Buttons, and links that look like buttons. A blocked button remains visible and shows the reason. */
import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface ButtonProps {
  children: ComponentChildren;
  icon?: IconNode | undefined;
  /** `main`: the only main action of a screen. */
  look?: 'main' | 'danger' | 'plain' | undefined;
  isWide?: boolean | undefined;
  /** The reason why the button is blocked. It is shown below the text of the button. */
  blocked?: string | undefined;
  /** True while the action is running. The button then shows that the action runs, and ignores further taps. */
  isBusy?: boolean | undefined;
  onClick?: (() => void) | undefined;
  type?: 'button' | 'submit' | undefined;
  label?: string | undefined;
  id?: string | undefined;
  /** The key that runs the same action, shown at the desk. */
  shortcut?: string | undefined;
}

export function Button({
  children,
  icon,
  look,
  isWide,
  blocked,
  isBusy,
  onClick,
  type = 'button',
  label,
  id,
  shortcut,
}: ButtonProps) {
  const isOff = blocked !== undefined || isBusy === true;
  return (
    <button
      id={id}
      type={type}
      class={['button', look, isWide === true && 'wide'].filter(Boolean).join(' ')}
      aria-disabled={isOff ? 'true' : undefined}
      aria-busy={isBusy === true ? 'true' : undefined}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {icon && <Icon of={icon} />}
      <span>
        {children}
        {blocked !== undefined && <span class="hint">{blocked}</span>}
      </span>
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  children,
  icon,
  look,
  isWide,
  to,
}: Pick<ButtonProps, 'children' | 'icon' | 'look' | 'isWide'> & { to: string }) {
  return (
    <a class={['button', look, isWide === true && 'wide'].filter(Boolean).join(' ')} href={to}>
      {icon && <Icon of={icon} />}
      <span>{children}</span>
    </a>
  );
}
