/** Maximum length of a place in the service. */
export const PLACE_MAX = 40;
