/** The number of an order: its last six digits large, as people read them out at the counter; the rest where there is room. */
import type { ComponentChildren } from 'preact';

/** Digits that people read out. */
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
