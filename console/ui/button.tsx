/** Buttons and links that look like them. A blocked one stays visible and says why. */
import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface ButtonProps {
  children: ComponentChildren;
  icon?: IconNode | undefined;
  /** `main`: the one main action of a screen. */
  look?: 'main' | 'danger' | 'plain' | undefined;
  isWide?: boolean | undefined;
  /** Why it cannot be used now: shown below its word. */
  blocked?: string | undefined;
  /** Shows that its work is under way, and takes no second tap. */
  isBusy?: boolean | undefined;
  onClick?: (() => void) | undefined;
  type?: 'button' | 'submit' | undefined;
  label?: string | undefined;
  id?: string | undefined;
  /** A key that does the same, shown at the desk. */
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
