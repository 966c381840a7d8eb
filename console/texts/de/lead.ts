/** German: the texts of the screens of leads and managers. */
import type { BundleMessages } from '../messages.ts';
import { access } from './access.ts';
import { boards } from './boards.ts';
import { exceptions } from './exceptions.ts';

export const lead: BundleMessages['lead'] = { access, boards, exceptions };
