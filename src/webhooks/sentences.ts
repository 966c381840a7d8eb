/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'the types are in docs/events.md': {
    de: 'die Typen stehen in docs/events.md',
    es: 'los tipos están en docs/events.md',
  },
  'did you mean {meant}?': {
    de: 'meinten Sie {meant}?',
    es: '¿quería decir {meant}?',
  },
  'there is no event type {type}; {hint}': {
    de: 'den Ereignistyp {type} gibt es nicht; {hint}',
    es: 'no hay ningún tipo de evento {type}; {hint}',
  },
  'The client has {webhooksMax} webhooks already; delete one that you no longer need.': {
    de: 'Der Mandant hat schon {webhooksMax} Webhooks; löschen Sie einen, den Sie nicht mehr brauchen.',
    es: 'La empresa ya tiene {webhooksMax} webhooks; borre uno que ya no necesite.',
  },
  'Another request created the webhook at the same time, so this request changed nothing. Try again.': {
    de: 'Der Webhook wurde gerade von einer anderen Anfrage angelegt; nichts wurde geändert. Versuchen Sie es erneut.',
    es: 'Otra solicitud creó el webhook a la vez; no se cambió nada. Vuelva a intentarlo.',
  },
  'url is not an https url; send a url such as https://hooks.example.com/backroom': {
    de: 'url ist keine https-URL; nehmen Sie eine wie https://hooks.example.com/backroom',
    es: 'url no es una URL https; use una como https://hooks.example.com/backroom',
  },
  'leave these parts out; your receiver can check the header webhook-signature instead': {
    de: 'lassen Sie diese Teile weg; Ihr Empfänger kann stattdessen den Header webhook-signature prüfen',
    es: 'quite esas partes; su receptor puede comprobar en su lugar la cabecera webhook-signature',
  },
  'url must have no user name, password or fragment; {hint}': {
    de: 'url darf weder Benutzer noch Passwort oder Fragment haben; {hint}',
    es: 'url no puede tener usuario, contraseña ni fragmento; {hint}',
  },
  'url must be an https url; http urls are for trials only, and the operator can allow them with WEBHOOK_PLAIN_HTTP=yes':
    {
      de: 'url muss eine https-URL sein; http-URLs sind nur für Versuche, und der Betreiber kann sie mit WEBHOOK_PLAIN_HTTP=yes erlauben',
      es: 'url debe ser una URL https; las URL http son solo para pruebas, y el operador puede permitirlas con WEBHOOK_PLAIN_HTTP=yes',
    },
  'url has an address that is not public; send a url with a public address, or ask the operator to add the address to WEBHOOK_ALLOW':
    {
      de: 'url hat eine Adresse, die nicht öffentlich ist; nehmen Sie eine öffentliche, oder bitten Sie den Betreiber, die Adresse in WEBHOOK_ALLOW aufzunehmen',
      es: 'url tiene una dirección que no es pública; use una pública o pida al operador que la añada a WEBHOOK_ALLOW',
    },
  '`to` is less than `from`; send the first position in `from` and the last position in `to`': {
    de: '`to` ist kleiner als `from`; senden Sie in `from` die erste und in `to` die letzte Position',
    es: '`to` es menor que `from`; envíe la primera posición en `from` y la última en `to`',
  },
  'the range has more than {replayMax} positions; replay it in parts': {
    de: 'der Bereich hat mehr als {replayMax} Positionen; wiederholen Sie ihn in Teilen',
    es: 'el rango tiene más de {replayMax} posiciones; repítalo por partes',
  },
  'events up to position {gone} are no longer kept; begin with {n}': {
    de: 'Ereignisse bis Position {gone} sind nicht mehr gespeichert; beginnen Sie mit {n}',
    es: 'los eventos hasta la posición {gone} ya no se guardan; empiece con {n}',
  },
  '`from` is after the last position; send at most {head}': {
    de: '`from` liegt hinter der letzten Position; senden Sie höchstens {head}',
    es: '`from` está detrás de la última posición; envíe como máximo {head}',
  },
  'send `next` of the previous page': {
    de: 'senden Sie `next` der vorigen Seite',
    es: 'envíe `next` de la página anterior',
  },
  'send an https url such as https://hooks.example.com/backroom': {
    de: 'nehmen Sie eine https-URL wie https://hooks.example.com/backroom',
    es: 'envíe una URL https como https://hooks.example.com/backroom',
  },
});
