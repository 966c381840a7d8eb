/** English: the texts of the screens of leads and managers. */
import { boards } from './boards.ts';
import { exceptions } from './exceptions.ts';

export const lead = { boards, exceptions };
