/** Metrics of requests. */

/** Counts an answer that took so many seconds. */
export type Measure = (operation: string, status: number, seconds: number) => void;
