/** Something that becomes due at an instant. */
/** Something that is due. */
export interface Due {
  /** Since when, in epoch milliseconds. */
  at: number;
  /** '' for what is of no client. */
  clientId: string;
  id: string;
}
