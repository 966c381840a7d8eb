/** German texts for the settings of a client that users can only read. */
export const settingsShown = {
  readOnly: 'Sie können diese Einstellungen lesen. Der Betreiber ändert sie.',
  late: 'Zeit, bis ein Schritt überfällig ist',
  lateHint: 'Gezählt ab dem Moment, in dem ein Auftrag den Schritt erreicht.',
  counter: 'An der Theke',
  pinRule: 'Ein Auftrag mit PIN braucht sie',
  yes: 'Ja',
  no: 'Nein',
  returnDays: 'Ware kann zurückkommen, Dauer',
  blind: 'Ware ohne Beleg',
  blindKinds: {
    HOLD: 'wird für die Leitung gesperrt',
    ALLOW: 'kommt an den Platz ihres Zustands',
    REFUSE: 'wird nicht zurückgenommen',
  },
  returnReasons: 'Gründe von Retouren',
  conditions: 'Zustände zurückgegebener Ware',
  noTargets: 'Noch keine Ziele.',
};
