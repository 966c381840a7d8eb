/**
 * Returns whether a proxy responded in place of the service, which it cannot reach. The service itself never sends
 * these statuses, so the console treats the response as a lost network.
 */
export const isOfProxy = ({ status }: Response): boolean => status === 502 || status === 504;
