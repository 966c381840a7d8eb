/** The picture of an item. Without a picture, its space stays the same. */
import { Package } from 'lucide';
import { useState } from 'preact/hooks';
import { choices, useChoices } from '../choices.ts';
import { Icon } from './icon.tsx';

export function Picture({ url, label, isSmall }: { url: string | undefined; label: string; isSmall?: boolean }) {
  const [isBroken, setBroken] = useState(false);
  useChoices();
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

/**
 * Returns the URL if the page can show the picture, otherwise undefined. The page shows data URLs, and pictures of the
 * origins that the client's settings name. A request to any other origin causes a report of the page's policy.
 */
export function allowed(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  if (url.startsWith('data:image/')) return url;
  const { origin } = new URL(url);
  // A path of the service is not accepted as a picture, because the request would contain the cookies of the user.
  const isOther = origin !== location.origin;
  return isOther && choices.value?.imageOrigins.includes(origin) === true ? url : undefined;
}
