/**
 * German: the meaning of an error code for the user, and what to do next. The description from the service is shown
 * below it.
 */
export const errors = {
  unknown: 'Das hat nicht funktioniert',
  codes: {
    OFFLINE: 'Keine Verbindung zum Dienst. Ihre Arbeit bleibt erhalten; prüfen Sie das Netz.',
    INVALID_REQUEST: 'Eine Angabe ist falsch. Korrigieren Sie das Markierte und senden Sie erneut.',
    CONFLICT: 'Eine andere Änderung war schneller. Prüfen Sie den Stand.',
    NOT_FOUND: 'Nicht gefunden: entfernt, oder die Nummer ist falsch.',
    ACCESS_DENIED: 'Ihre Rolle oder Filiale erlaubt das nicht. Fragen Sie Ihre Leitung.',
    CROSS_ORIGIN: 'Falsche Adresse. Öffnen Sie die Konsole unter ihrer eigenen.',
    SIGN_IN_FAILED: 'Name, Ausweis, Passwort oder PIN ist falsch.',
    CREDENTIALS_INVALID: 'Name, Ausweis, Passwort oder PIN ist falsch.',
    SESSION_LOCKED: 'Dieses Gerät ist gesperrt. Melden Sie sich erneut an.',
    SIGN_IN_AGAIN: 'Melden Sie sich erneut mit Passwort an.',
    IN_TRAINING: 'Beenden Sie zuerst Ihre Übung.',
    TRAINING_FULL: 'Zu viele üben gerade. Versuchen Sie es später erneut.',
    PASSKEYS_OFF: 'Passkeys brauchen einen Hostnamen. Fragen Sie den Betreiber.',
    PRINTER_UNREACHABLE: 'Der Drucker ist aus, beschäftigt oder nicht im Netz. Nichts wurde gedruckt.',
    PRINTER_TIMEOUT: 'Der Drucker hat nicht alle Etiketten genommen. Ist er angehalten, offen oder ohne Papier?',
    PRINTER_ADDRESS: 'Diese Druckeradresse ist nicht erlaubt. Fragen Sie den Betreiber.',
    PIN_CHANGE_REQUIRED: 'Wählen Sie zuerst Ihre PIN.',
    LOCKED: 'Zu viele Fehlversuche. Warten Sie, oder bitten Sie Ihre Leitung um eine neue PIN.',
    TOO_MANY_REQUESTS: 'Zu viele Anfragen. Warten Sie kurz und versuchen Sie es erneut.',
    UNAVAILABLE: 'Der Dienst erreicht seine Datenbank nicht. Nichts wurde geändert; versuchen Sie es erneut.',
    OVERLOADED: 'Der Dienst ist ausgelastet. Warten Sie kurz und versuchen Sie es erneut.',
    INTERNAL: 'Der Fehler liegt am Dienst, nicht an Ihnen; melden Sie die Anfrage-ID.',
    HELD_BY_OTHER: 'Jemand anders arbeitet daran.',
    NOT_AVAILABLE: 'Der Bestand reicht nicht.',
  } as Record<string, string>,
};
