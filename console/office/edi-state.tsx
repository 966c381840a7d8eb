/** Shows the state of an interchange or the outcome of a set. */
import { ediTexts, word } from '../texts/index.ts';
import { State } from '../ui/notice.tsx';
import { EDI_LOOKS } from './edi-data.ts';

export function EdiState({ of }: { of: string }) {
  return <State look={EDI_LOOKS[of] ?? 'info'}>{word(ediTexts().states, of)}</State>;
}
