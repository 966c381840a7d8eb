/** One announced return: its units are received as they come, each in its condition. */
import { CircleCheck } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { call, newId } from '../../api.ts';
import { online } from '../../preferences.ts';
import { at, go } from '../../router.ts';
import { place } from '../../session.ts';
import { returnTexts, t } from '../../texts/index.ts';
import { useAction, useLoad } from '../../ui/load.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useItemWords } from '../../work/item-words.ts';
import { ownId } from '../../work/own-id.ts';
import { useSaid } from '../../work/said.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { JobLoading, WorkScreen } from '../../work/work-screen.tsx';
import { ConditionDialog, Counted, Taken, useUnits } from './return-parts.tsx';
import { type Return, type ReturnChoices, returnChoices, type Unit, unitsOf } from './returning.ts';

export default function ReturnAnnounced({ params }: ScreenProps) {
  const [storeId, number] = [params['storeId']!, params['number']!];
  const { counter: texts } = returnTexts();
  const [taken, setTaken] = useState<Return | undefined>();
  const loaded = useLoad(`announced ${storeId} ${number}`, async (signal) => {
    const path = at('operator', 'v1', 'stores', storeId, 'returns', number);
    const [of, choices] = await Promise.all([call<Return>('GET', path, { signal }), returnChoices(storeId)]);
    return { of, choices };
  });
  const head = { title: texts.announced(number), onBack: () => go('/return') };
  if (taken !== undefined) return <Taken head={head} of={taken} />;
  const known = loaded.data.value;
  if (known === undefined) return <JobLoading head={head} of={loaded} />;
  return <Receiving head={head} {...known} onTaken={setTaken} />;
}

interface ReceivingProps {
  head: { title: string; onBack: () => void };
  of: Return;
  choices: ReturnChoices;
  onTaken: (taken: Return) => void;
}

function Receiving({ head, of, choices, onTaken }: ReceivingProps) {
  const { counter: texts } = returnTexts();
  const said = useSaid();
  const words = useItemWords(
    of.storeId,
    of.lines.map(({ itemId }) => itemId),
  );
  const nameOf = (itemId: string) => words[itemId]?.name ?? itemId;
  const units = useUnits(
    of.lines.map(({ position, itemId, open }) => ({
      line: String(position),
      itemId,
      name: nameOf(itemId),
      open,
      codes: words[itemId]?.upcs ?? [],
    })),
    said,
  );
  const receipt = useReceipt(of, onTaken);
  const count = units.units.reduce((sum, one) => sum + one.quantity, 0);
  const blocked = online.value ? (count === 0 ? texts.nothingYet : undefined) : texts.needsNetwork;
  return (
    <WorkScreen
      job={{
        ...head,
        scanLabel: texts.scanItem,
        onCode: units.onCode,
        said: said.said,
        needsNetwork: { title: texts.needsNetwork, hint: texts.needsNetworkHint },
        error: receipt.error,
        main: {
          label: texts.receive(count),
          icon: CircleCheck,
          isBusy: receipt.isBusy,
          blocked,
          run: () => receipt.run(units.units),
        },
      }}
    >
      <ul class="list">
        {of.lines.map(({ position, itemId, open, requested }) => {
          const counted = unitsOf(units.units, String(position));
          return (
            <WorkLine
              key={position}
              look="hand"
              name={nameOf(itemId)}
              code={itemId}
              picture={words[itemId]?.imageUrl}
              count={`${counted}/${open}`}
              countLabel={t().units.ofUnits(counted, open)}
              isNone={open === 0}
              isDone={open > 0 && counted === open}
              states={<span class="small quiet">{texts.openOf(open, requested)}</span>}
              buttons={
                <Counted
                  line={String(position)}
                  name={nameOf(itemId)}
                  units={units.units}
                  choices={choices}
                  canAdd={counted < open}
                  onAdd={() => units.ask(String(position))}
                  onLess={units.less}
                />
              }
            />
          );
        })}
      </ul>
      {units.asked !== undefined && (
        <ConditionDialog of={units.asked} choices={choices} onChoose={units.add} onClose={units.close} />
      )}
    </WorkScreen>
  );
}

/** Books a receipt; the same units under the same id until the service has accepted them. */
function useReceipt({ returnId }: Return, onTaken: (taken: Return) => void) {
  const last = useRef({ lines: '', receiptId: '' });
  return useAction(async (units: readonly Unit[]) => {
    const { clientId, nodeId } = place.peek()!;
    const lines = units.map(({ line, quantity, condition }) => ({ position: Number(line), quantity, condition }));
    const text = JSON.stringify(lines);
    if (last.current.lines !== text) last.current = { lines: text, receiptId: newId() };
    const path = at('operator', 'v1', 'clients', clientId, 'nodes', nodeId, 'returns', returnId, 'receipts');
    const body = { receiptId: last.current.receiptId, userId: ownId(), lines };
    onTaken((await call<{ return: Return }>('POST', path, { body })).return);
  });
}
