import type { BundleMessages } from '../messages.ts';

export const providers: BundleMessages['desk']['providers'] = {
  noRoles: 'Ohne Rollen behalten die Personen die Rolle, die sie hier haben.',
  claim: 'Wert des Claims',
  role: 'Rolle',
  add: 'Neuer Anmeldedienst',
  removeTitle: (id: string) => `„${id}“ löschen?`,
  removeHint:
    'Wer damit angemeldet ist, wird sofort abgemeldet, und seine Verknüpfungen mit Personen werden gelöscht. Das lässt sich nicht rückgängig machen.',
  issuer: 'Aussteller (Issuer)',
  clientId: 'Client-ID beim Anmeldedienst',
  secret: 'Client-Secret',
  secretStays: 'Leer: bleibt, wie es ist. Es wird nie angezeigt.',
  roleClaim: 'Claim mit der Rolle',
  roleClaimHint: 'Ein JSON-Pointer in das ID-Token, zum Beispiel /roles oder /realm_access/roles',
  roles: 'Rollen',
  scopes: 'Scopes',
  createUsers: 'Bei der ersten Anmeldung eine Person anlegen',
  nodes: 'Standorte der so angelegten Personen',
  redirect: 'Redirect-URI, die dort einzutragen ist:',
  emptyTitle: 'Noch keine Anmeldedienste',
  emptyHint: 'Mit einem Anmeldedienst meldet sich das Büro mit dem Firmenkonto an. Fügen Sie den Ihrer Firma hinzu.',
};
