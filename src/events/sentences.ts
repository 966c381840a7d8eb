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
  'There is no client {clientId}.': {
    de: 'Den Mandanten {clientId} gibt es nicht.',
    es: 'No hay ninguna empresa {clientId}.',
  },
  '`after` is {after}, but the last position of the client is {head}; send at most {head}. If the service was restored from a backup, read from the beginning':
    {
      de: '`after` ist {after}, die letzte Position des Mandanten aber {head}; senden Sie höchstens {head}. Wurde der Dienst aus einer Sicherung wiederhergestellt, lesen Sie von Anfang an',
      es: '`after` es {after}, pero la última posición de la empresa es {head}; envíe como máximo {head}. Si el servicio se restauró de una copia, lea desde el principio',
    },
  'clientId is missing; send the id of the client whose events you want to read': {
    de: 'clientId fehlt; senden Sie den Mandanten, dessen Ereignisse Sie lesen wollen',
    es: 'falta clientId; envíe la empresa cuyos eventos quiere leer',
  },
  'this key belongs to client {own}; send {own} as clientId, or leave clientId out': {
    de: 'dieser Schlüssel gehört zum Mandanten {own}; senden Sie {own} als clientId, oder lassen Sie clientId weg',
    es: 'esta clave es de la empresa {own}; envíe {own} como clientId o no envíe clientId',
  },
  '`after` is {after}, and events up to position {gone} are no longer kept. Read the current state of the resources that you need, then continue with after={gone}.':
    {
      de: '`after` ist {after}, Ereignisse bis Position {gone} sind aber nicht mehr gespeichert. Lesen Sie, was jetzt gilt, und machen Sie mit after={gone} weiter.',
      es: '`after` es {after}, pero los eventos hasta la posición {gone} ya no se guardan. Lea el estado actual y continúe con after={gone}.',
    },
  '{waiting} requests already wait for events of client {clientId}; send the request again in 1 s, or without wait.': {
    de: '{waiting} Anfragen warten schon auf Ereignisse des Mandanten {clientId}; fragen Sie in 1 s wieder, oder ohne wait.',
    es: '{waiting} solicitudes ya esperan eventos de la empresa {clientId}; pregunte en 1 s, o sin wait.',
  },
});
