/** Counts that differ by more than the tolerance: a lead approves or rejects each, or counts an item again. */
import { ClipboardList } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../api.ts';
import { feedback } from '../../scan/feedback.ts';
import { may, place } from '../../session.ts';
import { leadTexts, t, time } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, type Loaded, Show, useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { useNames } from '../../work/names.ts';
import { ownId } from '../../work/own-id.ts';
import { nameOf, nodePath } from '../receive/receiving.ts';
import { CountLines } from './count-lines.tsx';
import type { StockCount } from './stock-data.ts';

export function CountApproval({ loaded }: { loaded: Loaded<readonly StockCount[]> }) {
  const { stock } = t();
  const { exceptions } = leadTexts();
  const [done, setDone] = useState<string | undefined>();
  const personOf = useNames(place.value?.nodeId);
  return (
    <>
      {done !== undefined && (
        <div role="status">
          <Notice look="right" title={done} />
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
                  title={stock.countedBy(personOf(one.userId), time(one.at))}
                  onDone={(said) => {
                    setDone(said);
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

interface CardProps {
  of: StockCount;
  title: string;
  /** Called with the sentence that confirms the decision. */
  onDone: (said: string) => void;
}

function CountCard({ of, title, onDone }: CardProps) {
  const { stock } = t();
  const { exceptions } = leadTexts();
  const [isRejecting, setRejecting] = useState(false);
  const path = `${nodePath()}/counts/${encodeURIComponent(of.countId)}`;
  const approve = useAction(async () => {
    await call('POST', `${path}/approve`, { body: { userId: ownId() } });
    feedback('done');
    onDone(exceptions.approved(title));
  });
  const blocked = may('stock.adjust') ? undefined : stock.approveOnly;
  return (
    <article class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <CountLines of={of} isAgain={may('stock.count')} />
      {approve.error !== undefined && <NotApproved error={approve.error} />}
      <div class="count-decision">
        <Button look="danger" blocked={blocked} onClick={() => setRejecting(true)}>
          {exceptions.reject}
        </Button>
        <Button isBusy={approve.isBusy} blocked={blocked} onClick={() => void approve.run()}>
          {stock.approve}
        </Button>
      </div>
      {isRejecting && (
        <RejectDialog
          of={of}
          title={title}
          onClose={() => setRejecting(false)}
          onDone={() => onDone(exceptions.rejected(title))}
        />
      )}
    </article>
  );
}

/**
 * Shows why a count cannot be approved. If a newer count is the reason, the notice says so: the lead must then reject
 * this count.
 */
function NotApproved({ error }: { error: unknown }) {
  const { exceptions } = leadTexts();
  const newer = error instanceof ApiError ? error.body['newerCountId'] : undefined;
  if (newer === undefined) return <ErrorNotice error={error} />;
  const itemId = String((error as ApiError).body['itemId']);
  return (
    <Notice look="wrong" title={exceptions.newerCount(nameOf({ itemId }))}>
      <p>{exceptions.newerCountHint}</p>
    </Notice>
  );
}

interface RejectProps {
  of: StockCount;
  title: string;
  onClose: () => void;
  onDone: () => void;
}

function RejectDialog({ of, title, onClose, onDone }: RejectProps) {
  const { exceptions } = leadTexts();
  const [reason, setReason] = useState('');
  const items = new Set(of.lines.filter(({ state }) => state === 'WAITING').map(({ itemId }) => itemId));
  const reject = useAction(async () => {
    const body = { userId: ownId(), reason: reason.trim() };
    await call('POST', `${nodePath()}/counts/${encodeURIComponent(of.countId)}/reject`, { body });
    feedback('done');
    onDone();
  });
  return (
    <AskDialog
      title={exceptions.rejectTitle(title)}
      onClose={onClose}
      act={exceptions.reject}
      look="danger"
      isBusy={reject.isBusy}
      blocked={reason.trim() === '' ? exceptions.rejectNoWhy : undefined}
      onAct={() => void reject.run()}
      takesEnter
    >
      {reject.error !== undefined && <ErrorNotice error={reject.error} />}
      <p>{exceptions.rejectHint(items.size)}</p>
      <TextField label={exceptions.rejectWhy} value={reason} maxLength={200} isRequired autoFocus onInput={setReason} />
    </AskDialog>
  );
}
