/** Asks for the reason why units of one item, or all open units of the ticket, are missing. */
import type { ItemView } from '../../offline/view.ts';
import { t } from '../../texts/index.ts';
import { ReasonDialog } from '../../work/reasons.tsx';

interface ShortProps {
  title: string;
  /** The item; undefined for all open units of the ticket. */
  item?: ItemView | undefined;
  onShort: (units: number, reason: string) => void;
  onClose: () => void;
}

export function ShortDialog({ title, item, onShort, onClose }: ShortProps) {
  const { pick } = t();
  return (
    <ReasonDialog
      step="pick"
      title={title}
      label={pick.shortReason}
      {...(item !== undefined && {
        what: item.item.itemDetails.itemDesc,
        units: { label: pick.shortQuantity, first: item.left, max: item.left },
      })}
      main={(units) => (item === undefined ? pick.short : pick.shortDo(units))}
      run={onShort}
      onClose={onClose}
    />
  );
}
