import type { Campaign } from '../../proof/campaign.ts';
import { ENGINE } from '../support/store.ts';

/**
 * Whether this run also checks that the campaign finds its planted bugs. The bugs do not depend on the engine, so one
 * run is enough.
 */
export const isControlled = ENGINE === 'sqlite';

/** Returns the campaign, without the planted bugs if the run on the other engine checks them. */
export function onEngine(campaign: Campaign): Campaign {
  return isControlled ? campaign : { ...campaign, control: { planted: '', count: 0, bugs: [] } };
}
