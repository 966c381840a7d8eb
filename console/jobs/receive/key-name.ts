/** Returns the key of a line of a shipment. */
export const keyName = ({ cartonId, itemId }: { cartonId?: string; itemId: string }) => `${cartonId ?? ''} ${itemId}`;
