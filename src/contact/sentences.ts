/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'messageId {messageId} belongs to another message; send a new message with a new id.': {
    de: 'messageId {messageId} gehört zu einer anderen Nachricht; senden Sie eine neue Nachricht mit neuer Nummer.',
    es: 'messageId {messageId} es de otro mensaje; envíe un mensaje nuevo con otro identificador.',
  },
  '{order} is {statusDescriptions}, so the message {kind} is not allowed; the `offers` of the order list the allowed messages.':
    {
      de: '{order} ist im Status {statusDescriptions}, die Nachricht {kind} wäre also falsch; der Auftrag nennt, welche Nachrichten möglich sind.',
      es: '{order} está en estado {statusDescriptions}, así que el mensaje {kind} no sería cierto; el pedido indica qué mensajes se pueden enviar.',
    },
  '{order} has declined units, so the message READY is not allowed; send PARTLY_READY.': {
    de: '{order} hat abgelehnte Stücke, die Nachricht READY wäre also falsch; senden Sie PARTLY_READY.',
    es: '{order} tiene unidades rechazadas, así que el mensaje READY no sería cierto; envíe PARTLY_READY.',
  },
});
