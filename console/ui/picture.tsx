/** The picture of an item; its place stays the same without one. */
import { Package } from 'lucide';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

export function Picture({ url, label, isSmall }: { url: string | undefined; label: string; isSmall?: boolean }) {
  const [isBroken, setBroken] = useState(false);
  const isEmpty = url === undefined || isBroken;
  return (
    <div class={isSmall === true ? 'picture small' : 'picture'} data-empty={isEmpty ? '' : undefined}>
      {isEmpty ? (
        <Icon of={Package} />
      ) : (
        <img src={url} alt={label} loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
    </div>
  );
}
