/** The texts that each language must have, in the form of the English texts. */
import type { blocked as enBlocked } from './en/blocked.ts';
import type { desk as enDesk } from './en/desk.ts';
import type { edi as enEdi } from './en/edi.ts';
import type { floor as enFloor } from './en/floor.ts';
import type { en } from './en/index.ts';
import type { lead as enLead } from './en/lead.ts';
import type { office as enOffice } from './en/office.ts';
import type { returns as enReturns } from './en/returns.ts';
import type { takeBack as enTakeBack } from './en/take-back.ts';

/** The type of a text module: the same names as in English, with any texts. */
type Shape<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : Shape<T[K]>;
};
/** The texts that each language has for the frame, the sign-in and the home screen. */
export type ShellMessages = Shape<typeof en>;
/**
 * The texts that each language has for the screens of the floor, except the sign-in and the home screen, and for the
 * screens of every user.
 */
export type FloorMessages = Shape<typeof enFloor>;
/** The texts for a screen of the floor. */
export type Messages = ShellMessages & FloorMessages;
/** The texts that each language has for the office. */
export type OfficeMessages = Shape<typeof enOffice>;
/** The texts of an action that is not possible. They load with the part that shows them, in all languages. */
export type BlockedMessages = Shape<typeof enBlocked>;
/** The texts that load together, by name. */
export interface BundleMessages {
  shell: ShellMessages;
  floor: FloorMessages;
  office: OfficeMessages;
  edi: Shape<typeof enEdi>;
  returns: Shape<typeof enReturns>;
  lead: Shape<typeof enLead>;
  desk: Shape<typeof enDesk>;
  'take-back': Shape<typeof enTakeBack>;
}
export type TextBundle = keyof BundleMessages;

/** The texts of EDI findings by code: the error, and its fix. */
export type FindingWords = Readonly<Record<string, readonly [what: string, fix: string]>>;
