import { number } from '../texts/index.ts';

/** A number of units in a table: a dash for 0, so that what is there is seen. */
export const count = (value: number) => (value === 0 ? <span class="quiet">–</span> : number(value));
