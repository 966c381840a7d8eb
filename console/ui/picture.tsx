/** The picture of an item; its place stays the same without one. */
import { Package } from 'lucide';
import { useState } from 'preact/hooks';
import { choices, loadChoices } from '../choices.ts';
import { Icon } from './icon.tsx';

export function Picture({ url, label, isSmall }: { url: string | undefined; label: string; isSmall?: boolean }) {
  const [isBroken, setBroken] = useState(false);
  loadChoices();
  const shown = isBroken ? undefined : allowed(url);
  return (
    <div class={isSmall === true ? 'picture small' : 'picture'} data-empty={shown === undefined ? '' : undefined}>
      {shown === undefined ? (
        <Icon of={Package} />
      ) : (
        <img src={shown} alt={label} loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
    </div>
  );
}

/** Pictures of other origins are shown only where the client's settings name them; asking for others would be a report. */
export function allowed(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  if (url.startsWith('data:image/')) return url;
  const { origin } = new URL(url);
  // A path of the service itself is no picture: the request would have the cookies of the user.
  const isOther = origin !== location.origin;
  return isOther && choices.value?.imageOrigins.includes(origin) === true ? url : undefined;
}
