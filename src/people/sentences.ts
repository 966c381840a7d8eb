/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'Your PIN was changed at the same time; nothing was changed now. Choose your PIN again.': {
    de: 'Ihre PIN wurde gleichzeitig geändert; jetzt wurde nichts geändert. Wählen Sie Ihre PIN noch einmal.',
    es: 'Su PIN se cambió al mismo tiempo; ahora no se cambió nada. Elija su PIN de nuevo.',
  },
  'The user, password or PIN is wrong, or the user has no access here.': {
    de: 'Benutzer, Passwort oder PIN ist falsch, oder der Benutzer hat hier keinen Zugang.',
    es: 'El usuario, la contraseña o el PIN es incorrecto, o el usuario no tiene acceso aquí.',
  },
  'Too many sign-ins of this user have failed; try again in {wait} s.': {
    de: 'Zu viele Anmeldungen dieses Benutzers sind fehlgeschlagen; versuchen Sie es in {wait} s erneut.',
    es: 'Fallaron demasiados inicios de sesión de este usuario; vuelva a intentarlo en {wait} s.',
  },
  'Too many wrong PINs were entered on this device; ask a lead to unlock it with POST {path}': {
    de: 'Zu viele falsche PINs auf diesem Gerät: Die Leitung gibt es unter „Geräte“ wieder frei.',
    es: 'Demasiados PIN incorrectos en este dispositivo: un responsable lo desbloquea en «Dispositivos».',
  },
  'The code is unknown, used or expired; ask for another code.': {
    de: 'Der Code ist unbekannt, verbraucht oder abgelaufen; lassen Sie sich einen neuen geben.',
    es: 'El código no existe, ya se usó o ha caducado; pida otro.',
  },
  'There is no device {deviceId} of client {clientId}.': {
    de: 'Das Gerät {deviceId} des Mandanten {clientId} gibt es nicht.',
    es: 'No hay ningún dispositivo {deviceId} de la empresa {clientId}.',
  },
  'the device belongs to a node that you have no access to': {
    de: 'das Gerät gehört zu einem Standort, für den Sie keinen Zugang haben',
    es: 'el dispositivo es de un centro al que usted no tiene acceso',
  },
  'you cannot use this operation for yourself; ask a lead or manager': {
    de: 'das können Sie nicht für sich selbst tun; bitten Sie Ihre Leitung',
    es: 'no puede hacerlo para usted; pídaselo a un responsable o gerente',
  },
  'There is no user {userId} of client {clientId}.': {
    de: 'Den Benutzer {userId} des Mandanten {clientId} gibt es nicht.',
    es: 'No hay ningún usuario {userId} de la empresa {clientId}.',
  },
  'the user has a role or nodes that you do not have': {
    de: 'die Person hat eine Rolle oder Standorte, die Sie nicht haben',
    es: 'la persona tiene un rol o centros que usted no tiene',
  },
  'This browser is not an enrolled device, so a locked session could not be unlocked later; sign out instead.': {
    de: 'Dieser Browser ist kein angemeldetes Gerät, eine gesperrte Sitzung ließe sich also nicht entsperren; melden Sie sich stattdessen ab.',
    es: 'Este navegador no es un dispositivo registrado y no podría desbloquearse después; cierre la sesión.',
  },
  '`old` is not your password; nothing was changed.': {
    de: 'Das bisherige Passwort ist falsch; nichts wurde geändert.',
    es: 'La contraseña actual no es correcta; no se cambió nada.',
  },
  'people of the operator have no PIN because they do not use shared devices': {
    de: 'Personen des Betreibers haben keine PIN: Sie nutzen keine gemeinsamen Geräte',
    es: 'las personas del operador no tienen PIN: no usan dispositivos compartidos',
  },
  'You can change your PIN only within 15 minutes after you sign in with your password, identity provider or passkey; sign in again.':
    {
      de: 'Die PIN lässt sich nur in den 15 Minuten nach einer Anmeldung mit Passwort, Anmeldedienst oder Passkey ändern; melden Sie sich noch einmal an.',
      es: 'El PIN solo se puede cambiar en los 15 minutos siguientes a entrar con su contraseña, proveedor o clave de acceso; vuelva a entrar.',
    },
  'You have no passkey {passkeyId}.': {
    de: 'Sie haben keinen Passkey {passkeyId}.',
    es: 'No tiene ninguna clave de acceso {passkeyId}.',
  },
  '`registration` belongs to another user, is older than ten minutes or was already used; start again with POST /session/passkeys/registration':
    {
      de: 'die Registrierung gehört einer anderen Person, ist älter als zehn Minuten oder schon verwendet; beginnen Sie von vorn',
      es: 'el registro es de otra persona, tiene más de diez minutos o ya se usó; empiece de nuevo',
    },
  '`response` has no new passkey for this site, or belongs to another registration; start again with POST /session/passkeys/registration':
    {
      de: 'die Antwort hat keinen neuen Passkey für diese Seite oder gehört zu einer anderen Registrierung; beginnen Sie von vorn',
      es: 'la respuesta no tiene una clave de acceso nueva para este sitio o es de otro registro; empiece de nuevo',
    },
  'You have {passkeysMax} passkeys already; remove one that you no longer use.': {
    de: 'Sie haben schon {passkeysMax} Passkeys; entfernen Sie einen, den Sie nicht mehr nutzen.',
    es: 'Ya tiene {passkeysMax} claves de acceso; quite una que ya no use.',
  },
  'The passkey is registered already; use it to sign in.': {
    de: 'Der Passkey ist schon registriert; melden Sie sich damit an.',
    es: 'La clave de acceso ya está registrada; úsela para entrar.',
  },
  'Passkeys do not work with an IP address; set PUBLIC_URL to a URL with a host name, for example http://localhost:8080.':
    {
      de: 'Passkeys gehen nicht mit einer IP-Adresse; setzen Sie PUBLIC_URL auf eine URL mit Hostnamen, zum Beispiel http://localhost:8080.',
      es: 'Las claves de acceso no funcionan con una dirección IP; ponga en PUBLIC_URL una URL con nombre de host, por ejemplo http://localhost:8080.',
    },
  'you cannot change passkeys on a shared device; sign in on your own computer or phone': {
    de: 'auf einem gemeinsamen Gerät lassen sich keine Passkeys ändern; melden Sie sich auf Ihrem eigenen Computer oder Telefon an',
    es: 'no se cambian claves de acceso en un dispositivo compartido; entre en su propio equipo o teléfono',
  },
  'You can change passkeys only within 15 minutes after you sign in with your password, identity provider or passkey; sign in again.':
    {
      de: 'Passkeys lassen sich nur in den 15 Minuten nach einer Anmeldung mit Passwort, Anmeldedienst oder Passkey ändern; melden Sie sich noch einmal an.',
      es: 'Las claves de acceso solo se pueden cambiar en los 15 minutos siguientes a entrar con su contraseña, proveedor o clave de acceso; vuelva a entrar.',
    },
  'this is your present PIN; choose other digits': {
    de: 'das ist Ihre jetzige PIN; wählen Sie andere Ziffern',
    es: 'este es su PIN actual; elija otras cifras',
  },
  'the PIN is too easy to guess; choose digits without a sequence or repetition': {
    de: 'die PIN ist zu leicht zu erraten; wählen Sie Ziffern ohne Reihe und ohne Wiederholung',
    es: 'el PIN es demasiado fácil; elija cifras sin secuencia ni repetición',
  },
  'Sign-in is off because PUBLIC_URL is not set; set it to the URL that browsers use, and restart the service.': {
    de: 'Die Anmeldung ist aus, weil PUBLIC_URL nicht gesetzt ist; setzen Sie es auf die URL der Browser, und starten Sie den Dienst neu.',
    es: 'El inicio de sesión está apagado porque PUBLIC_URL no está configurado; ponga la URL que usan los navegadores y reinicie el servicio.',
  },
  'the message must have either badge or userId; send one of them': {
    de: 'nennen Sie entweder Ausweis oder Benutzer',
    es: 'indique la tarjeta o el usuario, no ambos',
  },
  'This browser is not an enrolled device; enroll it with POST /session/device, or sign in with a password.': {
    de: 'Dieser Browser ist kein angemeldetes Gerät; melden Sie das Gerät an, oder melden Sie sich mit Passwort an.',
    es: 'Este navegador no es un dispositivo registrado; regístrelo o entre con contraseña.',
  },
  'send 4 to 8 digits': {
    de: 'geben Sie 4 bis 8 Ziffern ein',
    es: 'escriba de 4 a 8 cifras',
  },
  'send base64url without padding': {
    de: 'senden Sie base64url ohne Padding',
    es: 'envíe base64url sin relleno',
  },
  'you cannot remove yourself; ask another person of the operator': {
    de: 'Sie können sich nicht selbst entfernen; bitten Sie eine andere Person des Betreibers',
    es: 'no puede quitarse a sí mismo; pídaselo a otra persona del operador',
  },
  'password is missing; a new person needs a password': {
    de: 'das Passwort fehlt; eine neue Person braucht eines',
    es: 'falta la contraseña; una persona nueva la necesita',
  },
  'you cannot change yourself; ask another person of the operator': {
    de: 'Sie können sich nicht selbst ändern; bitten Sie eine andere Person des Betreibers',
    es: 'no puede cambiarse a sí mismo; pídaselo a otra persona del operador',
  },
});
