/** Metrics of requests. */

/** Counts a response with its duration. */
export type Measure = (operation: string, status: number, seconds: number) => void;
