/** A row of a table or a rule of the interface, and the test that fails if the service violates it. */
export interface Statement {
  /** Section of the interface. */
  section: string;
  member: string;
  /** The rule in a few words. */
  says: string;
  /** `file > describe > test`, the full name of the test. */
  test: string;
}
