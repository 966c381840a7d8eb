/** What the service says about something that is not possible now: behind a word, because it names states by their codes. */
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
