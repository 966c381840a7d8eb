/**
 * A Lucide icon. Without `label`, screen readers do not announce it: a word next to it or the name of its button says
 * the same.
 */
import type { IconNode } from 'lucide';
import { h } from 'preact';

export function Icon({ of, label }: { of: IconNode; label?: string }) {
  const named = label === undefined ? { 'aria-hidden': true as const } : { role: 'img' as const, 'aria-label': label };
  return (
    <svg class="icon" viewBox="0 0 24 24" {...named}>
      {of.map(([tag, attributes]) => h(tag, attributes as Record<string, string>))}
    </svg>
  );
}
