/** The service's reason why something is not possible now. It is collapsed, because it names states by their codes. */
import { o } from '../texts/index.ts';

export function Why({ children }: { children: string | undefined }) {
  if (children === undefined || children === '') return null;
  return (
    <details class="why small">
      <summary>{o().common.why}</summary>
      <p class="quiet">{children}</p>
    </details>
  );
}
