/** English: the texts of the boards, and of single screens of the office. */
import { access } from './access.ts';
import { boards } from './boards.ts';
import { contact } from './contact.ts';
import { providers } from './providers.ts';

export const desk = { access, boards, contact, providers };
