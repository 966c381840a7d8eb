/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  '`after` is {after}, but the log ends at {head}; send at most {head}, or 0 after a restore from a backup': {
    de: '`after` ist {after}, das Protokoll endet aber bei {head}; senden Sie höchstens {head}. Nach einer Wiederherstellung lesen Sie von Anfang an',
    es: '`after` es {after}, pero el registro termina en {head}; envíe como máximo {head}. Tras una restauración, lea desde el principio',
  },
});
