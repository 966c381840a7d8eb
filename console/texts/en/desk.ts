/** English: the texts of the boards, and of single screens of the office. */
import { access } from './access.ts';
import { boards } from './boards.ts';
import { changeOrder } from './change-order.ts';
import { contact } from './contact.ts';
import { print } from './print.ts';
import { providers } from './providers.ts';
import { settingsShown } from './settings-shown.ts';
import { setup } from './setup.ts';

export const desk = { access, boards, changeOrder, contact, print, providers, settingsShown, setup };
