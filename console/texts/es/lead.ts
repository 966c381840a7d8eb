/** Spanish: the texts of the screens of leads and managers. */
import type { BundleMessages } from '../messages.ts';
import { exceptions } from './exceptions.ts';
import { plans } from './plans.ts';

export const lead: BundleMessages['lead'] = { exceptions, plans };
