/** English: the texts of the screens of leads and managers, and of single screens of the office that need few others. */
import { access } from './access.ts';
import { boards } from './boards.ts';
import { contact } from './contact.ts';
import { exceptions } from './exceptions.ts';
import { plans } from './plans.ts';
import { providers } from './providers.ts';

export const lead = { access, boards, contact, exceptions, plans, providers };
