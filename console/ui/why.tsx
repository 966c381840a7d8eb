/** The service's reason why something is not possible now. It is collapsed, because it names states by their codes. */
export function Why({ label, children }: { label: string; children: string | undefined }) {
  if (children === undefined || children === '') return null;
  return (
    <details class="why small">
      <summary>{label}</summary>
      <p class="quiet">{children}</p>
    </details>
  );
}
