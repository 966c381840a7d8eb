/** One reverse ticket: it brings goods from their waiting place back to their shelf. */
import type { ScreenProps } from '../../ui/route.ts';
import { Ticket } from '../pick/pick.tsx';

export default function BringBackTicket({ params }: ScreenProps) {
  return <Ticket storeId={params['storeId']!} ticketId={params['ticketId']!} isBack />;
}
