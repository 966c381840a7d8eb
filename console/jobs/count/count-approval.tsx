/** Counts that differ by more than the tolerance: a lead approves each, or counts an item again. */
import { ClipboardList } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../../api.ts';
import { feedback } from '../../scan/feedback.ts';
import { may, place } from '../../session.ts';
import { leadTexts, t, time } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, type Loaded, Show, useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { useNames } from '../../work/names.ts';
import { ownId } from '../../work/own-id.ts';
import { nodePath } from '../receive/receiving.ts';
import { CountLines } from './count-lines.tsx';
import type { StockCount } from './stock-data.ts';

export function CountApproval({ loaded }: { loaded: Loaded<readonly StockCount[]> }) {
  const { stock } = t();
  const { exceptions } = leadTexts();
  const [approved, setApproved] = useState<string | undefined>();
  const nameOf = useNames(place.value?.nodeId);
  return (
    <>
      {approved !== undefined && (
        <div role="status">
          <Notice look="right" title={exceptions.approved(approved)} />
        </div>
      )}
      <Show of={loaded}>
        {(counts) =>
          counts.length === 0 ? (
            <Empty icon={ClipboardList} title={stock.noneApprove}>
              {stock.noneApproveHint}
            </Empty>
          ) : (
            <>
              {may('stock.adjust') && <p class="quiet small">{exceptions.approveHint}</p>}
              {counts.map((one) => (
                <CountCard
                  key={one.countId}
                  of={one}
                  title={stock.countedBy(nameOf(one.userId), time(one.at))}
                  onDone={(title) => {
                    setApproved(title);
                    void loaded.reload();
                  }}
                />
              ))}
            </>
          )
        }
      </Show>
    </>
  );
}

function CountCard({ of, title, onDone }: { of: StockCount; title: string; onDone: (title: string) => void }) {
  const { stock } = t();
  const approve = useAction(async () => {
    await call('POST', `${nodePath()}/counts/${encodeURIComponent(of.countId)}/approve`, { body: { userId: ownId() } });
    feedback('done');
    onDone(title);
  });
  return (
    <article class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <CountLines of={of} isAgain={may('stock.count')} />
      {approve.error !== undefined && <ErrorNotice error={approve.error} />}
      <Button
        isWide
        isBusy={approve.isBusy}
        blocked={may('stock.adjust') ? undefined : stock.approveOnly}
        onClick={() => void approve.run()}
      >
        {stock.approve}
      </Button>
    </article>
  );
}
