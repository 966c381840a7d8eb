/** English: the texts of the screens of leads and managers. */
import { boards } from './boards.ts';
import { exceptions } from './exceptions.ts';
import { plans } from './plans.ts';

export const lead = { boards, exceptions, plans };
