/** Work that becomes due at a time. */
export interface Due {
  /** Time at which the work became due, in epoch milliseconds. */
  at: number;
  /** '' if the work belongs to no client. */
  clientId: string;
  id: string;
}
