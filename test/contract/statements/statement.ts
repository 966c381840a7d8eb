/** One row of a table, or one rule, of the interface, and the test that fails when it is not honoured. */
export interface Statement {
  /** Section of the interface. */
  section: string;
  member: string;
  /** What the interface says of it. */
  says: string;
  /** `file > describe > test`, the full name of the test. */
  test: string;
}
