/** A band that the user can close. */
import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { shellTexts as t } from '../texts/index.ts';
import { Button } from './button.tsx';
import { Band, type Look } from './notice.tsx';

interface ClosableBandProps {
  look: Look;
  children: ComponentChildren;
  onClose: () => void;
}

export function ClosableBand({ look, children, onClose }: ClosableBandProps) {
  return (
    <Band
      look={look}
      action={
        <Button look="plain" label={t().actions.close} icon={X} onClick={onClose}>
          {''}
        </Button>
      }
    >
      {children}
    </Band>
  );
}
