const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** German texts for waiting and rejected commands. */
export const sync = {
  title: 'Abgleich',
  hints: {
    SENT: 'Der Dienst hat alles, was auf diesem Gerät getan wurde.',
    SENDING: 'Ihre Arbeit ist unterwegs.',
    WAITING: 'Ihre Arbeit liegt auf diesem Gerät und wird von selbst erneut gesendet.',
    OFFLINE: 'Der Dienst ist nicht erreichbar. Was Sie tun, bleibt auf diesem Gerät und wird danach gesendet.',
    SIGN_IN: 'Ihre Arbeit liegt auf diesem Gerät. Sie wird gesendet, sobald Sie sich wieder anmelden.',
    CONFLICT: 'Der Dienst hat einen Teil Ihrer Arbeit nicht angenommen. Entscheiden Sie unten, was daraus wird.',
    NO_STORAGE:
      'Dieser Browser kann nichts mehr speichern; offline geht nichts mehr. Verlassen Sie den privaten Modus oder schaffen Sie Platz.',
  },
  givenUp: (n: number) =>
    `Alles ist gesendet, außer ${count(n, 'Aktion, die Sie aufgegeben haben', 'Aktionen, die Sie aufgegeben haben')}.`,
  waiting: (n: number) => count(n, 'Aktion wartet', 'Aktionen warten'),
  others: (n: number) => `${count(n, 'Aktion', 'Aktionen')} von anderen auf diesem Gerät`,
  left: (n: number, names: string) =>
    `${count(n, 'Aktion', 'Aktionen')} von ${names} ${n === 1 ? 'wartet' : 'warten'} auf eine Anmeldung oder Entscheidung unter diesem Namen.`,
  leftHint:
    'Wenn das nicht mehr geschieht: Sichern Sie die Arbeit als Datei, und löschen Sie sie hier. Der Dienst erhält sie dann nie.',
  leftDelete: 'Die gesicherte Arbeit löschen',
  notPersisted:
    'Der Browser darf diese Arbeit löschen, wenn der Speicher voll ist. Legen Sie die Konsole auf den Startbildschirm.',
  sendNow: 'Jetzt senden',
  conflicts: 'Zu klären',
  ticket: (id: string) => `Schein ${id}`,
  checkIn: (id: string) => `Check-in ${id}`,
  mine: 'Meins',
  now: 'Jetzt',
  mineUnits: (picked: number, missing: number) =>
    `${picked} gepickt, ${missing} ${missing === 1 ? 'fehlt' : 'fehlen'}, nicht gesendet`,
  mineConfirm: 'Ihre Bestätigung ist nicht gesendet',
  mineCheckIn: (n: number) => count(n, 'Zählung ist nicht gesendet', 'Zählungen sind nicht gesendet'),
  nowUnknown: 'Ist jetzt nicht lesbar',
  nowWith: (name: string) => `Bei ${name}`,
  nowMine: 'Er gehört Ihnen',
  nowConfirmed: (name: string) => `Bestätigt von ${name}`,
  nowReset: 'Zurück in der Warteschlange',
  nowCounts: (picked: number, all: number) => `${picked} von ${all} gepickt`,
  why: {
    TAKEN_OVER: 'Jemand anders hat den Schein übernommen.',
    RESET:
      'Der Schein ging zurück in die Warteschlange: Es hat zu lange niemand daran gearbeitet, oder jemand hat ihn zurückgesetzt.',
    CONFIRMED: 'Jemand anders hat den Schein bestätigt.',
    GONE: 'Es ist nicht mehr da.',
    DENIED: 'Sie dürfen das nicht mehr.',
    WRONG: 'Der Dienst nimmt die Zahlen nicht an.',
    OTHER: 'Der Dienst nimmt es jetzt nicht an.',
  },
  retry: 'Erneut senden',
  takeBack: 'Zurückholen und meins senden',
  onlyLeads: 'Das kann die Leitung tun',
  leaveOut: (n: number) => `${count(n, 'Scan', 'Scans')} weglassen, den Rest senden`,
  setAside: 'Meins aufgeben',
  setAsideHint: 'Was Sie aufgeben, bleibt in der Datei unten, bis Sie es löschen.',
  file: 'Als Datei sichern',
  fileHint: 'Alles von Ihnen, was der Dienst nicht hat, mit Zeiten und Zahlen.',
  deleteAside: 'Aufgegebenes löschen',
  signOutTitle: 'Mit ungesendeter Arbeit abmelden?',
  signOutHint: (n: number) =>
    `${count(n, 'Aktion wartet', 'Aktionen warten')} auf das Senden. Alles bleibt unter Ihrem Namen auf diesem Gerät und wird gesendet, wenn Sie sich hier wieder anmelden, auf einem gemeinsamen Gerät binnen eines Tages von selbst.`,
  signOutAnyway: 'Trotzdem abmelden',
};
