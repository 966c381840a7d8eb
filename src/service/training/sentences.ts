/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../../platform/message/sentence.ts';

export const say = sentences({
  'A user of the operator cannot start a training, because the operator has no stores; sign in as a user of a client.':
    {
      de: 'Eine Person des Betreibers kann keine Übung beginnen, weil der Betreiber keine Filialen hat; melden Sie sich als Person eines Mandanten an.',
      es: 'Un usuario del operador no puede empezar unas prácticas, porque el operador no tiene tiendas; entre como usuario de una empresa.',
    },
  'The session is in a training already; end it with DELETE /session/training first.': {
    de: 'Sie sind schon in einer Übung; beenden Sie diese zuerst.',
    es: 'La sesión ya está en unas prácticas; termínelas primero.',
  },
  'The client already has the maximum of {most} open trainings; end a training, or wait until one has ended.': {
    de: 'Der Mandant hat {most} Übungen; beenden Sie eine, oder warten Sie, bis eine zu Ende ist.',
    es: 'La empresa tiene {most} prácticas; termine una o espere a que acabe una.',
  },
  'The session has ended; sign in again with POST /session.': {
    de: 'Die Sitzung ist beendet; melden Sie sich wieder an.',
    es: 'La sesión ha terminado; vuelva a iniciar sesión.',
  },
});
