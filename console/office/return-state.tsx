/** The state of a return or of a refund. */
import { returnTexts, word } from '../texts/index.ts';
import { State } from '../ui/notice.tsx';
import { RETURN_LOOKS } from './returns-data.ts';

export function ReturnState({ of }: { of: string }) {
  return <State look={RETURN_LOOKS[of] ?? 'info'}>{word(returnTexts().states, of)}</State>;
}
