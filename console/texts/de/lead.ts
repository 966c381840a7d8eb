/** German: the texts of the screens of leads and managers. */
import type { BundleMessages } from '../messages.ts';
import { access } from './access.ts';
import { boards } from './boards.ts';
import { contact } from './contact.ts';
import { exceptions } from './exceptions.ts';
import { plans } from './plans.ts';
import { providers } from './providers.ts';

export const lead: BundleMessages['lead'] = { access, boards, contact, exceptions, plans, providers };
