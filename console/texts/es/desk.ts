/** Spanish: the texts of the boards, and of single screens of the office. */
import type { BundleMessages } from '../messages.ts';
import { access } from './access.ts';
import { boards } from './boards.ts';
import { contact } from './contact.ts';
import { providers } from './providers.ts';

export const desk: BundleMessages['desk'] = { access, boards, contact, providers };
