/** How the state of an inbound shipment looks, in lists and on the shipment's own screen. */
import { t, word } from '../texts/index.ts';
import { type Look, State } from '../ui/notice.tsx';

const STATE_LOOKS: Partial<Record<string, Look>> = { EXPECTED: 'info', RECEIVING: 'risk', CLOSED: 'right' };

/** The state of a shipment in words and color. */
export function ShipmentState({ state }: { state: string }) {
  return <State look={STATE_LOOKS[state] ?? 'info'}>{word(t().receive.states, state)}</State>;
}
