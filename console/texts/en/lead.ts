/** English: the texts of the screens of leads and managers. */
import { exceptions } from './exceptions.ts';
import { plans } from './plans.ts';

export const lead = { exceptions, plans };
