/** Spanish: the texts of single screens of the office, which need few others. */
import type { BundleMessages } from '../messages.ts';
import { access } from './access.ts';
import { contact } from './contact.ts';
import { providers } from './providers.ts';

export const desk: BundleMessages['desk'] = { access, contact, providers };
