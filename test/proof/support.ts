import type { Campaign } from '../../proof/campaign.ts';
import { ENGINE } from '../support/store.ts';

/** Whether this run also shows that the campaign finds its planted bugs: with bugs behind which no engine stands, one run is enough. */
export const isControlled = ENGINE === 'sqlite';

/** The campaign, without its control where another run has it. */
export function onEngine(campaign: Campaign): Campaign {
  return isControlled ? campaign : { ...campaign, control: { planted: '', count: 0, bugs: [] } };
}
