/** What each language must say: the shape of the English texts. */
import type { edi as enEdi } from './en/edi.ts';
import type { floor as enFloor } from './en/floor.ts';
import type { en } from './en/index.ts';
import type { lead as enLead } from './en/lead.ts';
import type { office as enOffice } from './en/office.ts';
import type { returns as enReturns } from './en/returns.ts';
import type { takeBack as enTakeBack } from './en/take-back.ts';

/** The shape of a module of texts: the same names, any words. */
type Shape<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : Shape<T[K]>;
};
/** What each language has for the frame, signing in and the home screen. */
export type ShellMessages = Shape<typeof en>;
/** What each language has for the other screens. */
export type FloorMessages = Shape<typeof enFloor>;
/** What a screen has. */
export type Messages = ShellMessages & FloorMessages;
/** What each language has for the office. */
export type OfficeMessages = Shape<typeof enOffice>;
/** The texts that load together, by name. */
export interface BundleMessages {
  shell: ShellMessages;
  floor: FloorMessages;
  office: OfficeMessages;
  edi: Shape<typeof enEdi>;
  returns: Shape<typeof enReturns>;
  lead: Shape<typeof enLead>;
  'take-back': Shape<typeof enTakeBack>;
}
export type TextBundle = keyof BundleMessages;

/** Words of findings of EDI by their codes: what is wrong, and how to fix it. */
export type FindingWords = Readonly<Record<string, readonly [what: string, fix: string]>>;
