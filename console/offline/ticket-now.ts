/** The present state of a ticket at the service, for a conflict of this device. */
import { useEffect, useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import type { Subject, TicketDetails } from './commands.ts';

/** Reads the ticket of a conflict; undefined until it is read, and if it cannot be read. */
export function useTicketNow(subject: Subject, lane: string): TicketDetails | undefined {
  const [now, setNow] = useState<TicketDetails | undefined>();
  const read = async () => {
    if (subject.kind !== 'ticket') return;
    const { storeId, nodeId, id: pickTicketId } = subject;
    const path = { storeId, nodeId, pickTicketId };
    const opened = await send(
      api.POST('/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}', {
        params: { path },
        // Without `onlyRead`, the service would assign a waiting reverse ticket to the user who looks at the conflict.
        body: { ...path, onlyRead: true },
      }),
    );
    setNow(opened.pickTicketDetails);
  };
  useEffect(() => {
    void read().catch(() => undefined);
  }, [lane]);
  return now;
}
