/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../../platform/message/sentence.ts';

export const say = sentences({
  'send exactly one of advanceBy, advanceTo and next': {
    de: 'senden Sie genau eines von advanceBy, advanceTo und next',
    es: 'envíe exactamente uno de advanceBy, advanceTo y next',
  },
  'advanceTo is before now ({now}); send a later time': {
    de: 'advanceTo liegt vor jetzt ({now}); nehmen Sie einen späteren Zeitpunkt',
    es: 'advanceTo es anterior a ahora ({now}); elija un momento posterior',
  },
  'advanceBy moves the clock past the year 9999; send fewer seconds': {
    de: 'advanceBy führt über das Jahr 9999 hinaus; nehmen Sie weniger Sekunden',
    es: 'advanceBy lleva más allá del año 9999; envíe menos segundos',
  },
  'No work is due later, so `next` cannot move the clock; send `advanceBy` or `advanceTo`.': {
    de: 'Es wird keine Arbeit fällig; stellen Sie die Uhr mit advanceBy oder advanceTo.',
    es: 'No vence ningún trabajo; mueva el reloj con advanceBy o advanceTo.',
  },
  'This service uses the system’s clock, which cannot be moved; start a sandbox with backroom demo --clock manual.': {
    de: 'Dieser Dienst nutzt die Uhr des Systems, die sich nicht stellen lässt; starten Sie eine Sandbox mit backroom demo --clock manual.',
    es: 'Este servicio usa el reloj del sistema, que no se puede mover; inicie un entorno de pruebas con backroom demo --clock manual.',
  },
});
