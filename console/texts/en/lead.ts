/** English: the texts of the screens of leads and managers. */
import { access } from './access.ts';
import { boards } from './boards.ts';
import { exceptions } from './exceptions.ts';

export const lead = { access, boards, exceptions };
