/** The look of an inbound shipment's state, in lists and on its own screen. */
import { t, word } from '../texts/index.ts';
import { type Look, State } from '../ui/notice.tsx';

const STATE_LOOKS: Partial<Record<string, Look>> = { EXPECTED: 'info', RECEIVING: 'risk', CLOSED: 'right' };

/** Shows the state of a shipment in words and color. */
export function ShipmentState({ state }: { state: string }) {
  return <State look={STATE_LOOKS[state] ?? 'info'}>{word(t().receive.states, state)}</State>;
}
