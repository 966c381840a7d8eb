/** The dialog that moves goods without papers to the ASN or PO that was announced after their receipt. */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api.ts';
import { inboundPath } from '../../offline/inbound-wire.ts';
import { at, go } from '../../router.ts';
import { contentOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { may } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Choices, TextField } from '../../ui/field.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ownId } from '../../work/own-id.ts';
import { useScan } from '../../work/use-scan.ts';
import type { Arrival } from './receiving.ts';
import type { Shipping } from './use-shipment.tsx';

/** Maximum length of the number of an ASN or PO. */
const NUMBER_MAX = 15;

export function MatchDialog({ shipping: { subject }, onClose }: { shipping: Shipping; onClose: () => void }) {
  const { receive } = t();
  const [type, setType] = useState('ASN');
  const [number, setNumber] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const [sellerId, setSellerId] = useState('');
  const [isSeveral, setSeveral] = useState(false);
  const match = useAction(async () => {
    const body = {
      type,
      number: number.trim(),
      userId: ownId(),
      ...(sellerId.trim() !== '' && { sellerId: sellerId.trim() }),
    };
    const made = await call<{ type: Arrival['type']; number: string; sellerId: string }>(
      'POST',
      inboundPath(subject, '/match'),
      { body },
    );
    feedback('done');
    go(at('receive', made.type, made.number), { sellerId: made.sellerId });
  });
  useEffect(() => {
    if ((match.error as { code?: string } | undefined)?.code === 'AMBIGUOUS_NUMBER') setSeveral(true);
  }, [match.error]);
  const isBlocked = number.trim() === '' ? receive.matchNumber : undefined;
  const run = () => {
    if (isBlocked === undefined && may('receive')) void match.run();
  };
  useScan(({ text, command }) => {
    const content = contentOf(text);
    const isTooLong = content.length > NUMBER_MAX;
    if (command === 'OK') run();
    else if (command === 'UNDO') onClose();
    else if (command === undefined) {
      feedback(isTooLong ? 'wrong' : 'right');
      setWrong(isTooLong ? receive.matchLong(content, NUMBER_MAX) : undefined);
      if (!isTooLong) setNumber(content);
    }
  });
  return (
    <AskDialog
      title={receive.matchTitle}
      onClose={onClose}
      act={receive.match}
      isBusy={match.isBusy}
      blocked={may('receive') ? isBlocked : t().shell.noRight}
      onAct={run}
      takesEnter
    >
      <p>{receive.matchHint}</p>
      <Choices
        label={receive.matchTitle}
        value={type}
        onInput={setType}
        options={(['ASN', 'PO'] as const).map((value) => ({ value, label: receive.types[value] }))}
      />
      <TextField
        label={receive.matchNumber}
        value={number}
        onInput={(text) => {
          setNumber(text);
          setWrong(undefined);
        }}
        maxLength={NUMBER_MAX}
        error={wrong ?? match.of('number')}
      />
      {isSeveral && (
        <TextField
          label={receive.seller}
          value={sellerId}
          onInput={setSellerId}
          maxLength={40}
          error={match.of('sellerId')}
        />
      )}
      {match.error !== undefined && <ErrorNotice error={match.error} />}
    </AskDialog>
  );
}
