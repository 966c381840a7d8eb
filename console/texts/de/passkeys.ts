/** German texts for the user's own passkeys. */
export const passkeys = {
  title: 'Passkeys',
  about: 'Mit einem Passkey melden Sie sich ohne Passwort an: mit Fingerabdruck, Gesicht oder der PIN Ihres Computers.',
  none: 'Noch kein Passkey',
  noneHint: 'Fügen Sie für jedes Gerät, mit dem Sie sich anmelden, einen hinzu.',
  add: 'Passkey hinzufügen',
  name: 'Name',
  nameHint: 'Damit Sie ihn wiedererkennen, zum Beispiel: Laptop im Büro',
  nameFirst: 'Namen eingeben',
  remove: 'Entfernen',
  removeHint: 'Damit können Sie sich dann nicht mehr anmelden. Ihre anderen Anmeldewege bleiben.',
  notHere: 'Dieser Browser oder diese Adresse hat keine Passkeys',
  made: (at: string) => `Angelegt ${at}`,
  used: (at: string) => `Zuletzt benutzt ${at}`,
  removeOne: (name: string) => `${name} entfernen`,
};
