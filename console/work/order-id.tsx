/**
 * The number of an order. The last six digits are large, because users read them aloud at the counter. The other digits
 * are shown if there is space.
 */
import type { ComponentChildren } from 'preact';

/** Number of digits that users read aloud. */
const READ = 6;

export function OrderId({ id, children }: { id: string; children?: ComponentChildren }) {
  return (
    <span class="order-id" title={id}>
      <span class="order-id-rest">{id.slice(0, -READ)}</span>
      <span class="strong">{id.slice(-READ)}</span>
      {children !== undefined && <span class="order-id-more"> · {children}</span>}
    </span>
  );
}
