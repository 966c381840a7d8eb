import { number } from '../texts/index.ts';

/** Shows a number of units in a table. 0 is a dash, so that other numbers are easier to see. */
export const count = (value: number) => (value === 0 ? <span class="quiet">–</span> : number(value));
