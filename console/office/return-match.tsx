/** Matches units that arrived without papers with their order. */
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { call, newId } from '../api.ts';
import { returnTexts, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, Stepper } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { ownId } from '../work/own-id.ts';
import { actingNode, blindUnits, nodeReturnPath, type Return, type ReturnLine, returnPath } from './returns-data.ts';

/** Maximum length of a code in the service. */
const CODE_MAX = 500;

/** An order line with the number of its units that did not come back and are not on their way back. */
interface Candidate {
  fulfillmentOrderId: string;
  webLineId: string;
  left: number;
}

/** Finds the order lines with units of an item, by an order, a slip or a parcel. @throws ApiError */
async function candidatesOf({ storeId }: Return, itemId: string, code: string): Promise<Candidate[]> {
  type Found = components['schemas']['ReturnCheckReply'];
  const { orders } = await call<Found>('POST', returnPath(storeId, 'eligibility'), { body: { code } });
  return orders.flatMap(({ fulfillmentOrderId, lines }) =>
    lines
      .filter((line) => line.itemId === itemId && !line.reasons.some(({ rule }) => rule === 'OTHER_STORE'))
      .map(({ webLineId, handedOverQuantity, cameBackQuantity, comingBackQuantity }) => {
        return { fulfillmentOrderId, webLineId, left: handedOverQuantity - cameBackQuantity - comingBackQuantity };
      })
      .filter(({ left }) => left > 0),
  );
}

interface MatchProps {
  of: Return;
  line: ReturnLine;
  onClose: (isDone: boolean) => void;
}

function useMatch({ of, line, onClose }: MatchProps) {
  const [found, setFound] = useState<readonly Candidate[] | undefined>();
  const [chosen, setChosen] = useState(0);
  const [quantity, setQuantity] = useState(1);
  const [matchId] = useState(newId);
  const most = Math.min(blindUnits(line), found?.[chosen]?.left ?? 1);
  const choose = (index: number, all: readonly Candidate[]) => {
    setChosen(index);
    setQuantity(Math.min(blindUnits(line), all[index]?.left ?? 1));
  };
  const search = useAction(async (code: string) => {
    const all = code === '' ? [] : await candidatesOf(of, line.itemId, code);
    setFound(all);
    choose(0, all);
  });
  const match = useAction(async () => {
    const { fulfillmentOrderId, webLineId } = found![chosen]!;
    const path = nodeReturnPath(actingNode(of) ?? '', of.returnId, 'match');
    const lines = [{ position: line.position, fulfillmentOrderId, webLineId, quantity }];
    await call('POST', path, { body: { matchId, userId: ownId(), lines } });
    onClose(true);
  });
  return { found, chosen, choose, quantity, setQuantity, most, search, match };
}

export function Match(props: MatchProps) {
  const texts = returnTexts();
  const [text, setText] = useState('');
  const { found, chosen, choose, quantity, setQuantity, most, search, match } = useMatch(props);
  const isReady = found !== undefined && found.length > 0;
  const error = match.error ?? search.error;
  return (
    <Dialog
      title={texts.matchTitle(props.line.itemId)}
      onClose={() => props.onClose(false)}
      actions={
        <>
          <Button onClick={() => props.onClose(false)}>{t().actions.back}</Button>
          <Button
            look="main"
            isBusy={match.isBusy}
            blocked={isReady ? undefined : texts.matchFirst}
            onClick={() => void match.run()}
          >
            {texts.matchNow(quantity)}
          </Button>
        </>
      }
    >
      <SearchBox
        label={texts.matchFind}
        value={text}
        onInput={setText}
        onSearch={(code) => void search.run(code)}
        max={CODE_MAX}
      />
      {found?.length === 0 && <p role="status">{texts.matchNone}</p>}
      {isReady && (
        <>
          <Choices
            label={texts.matchLine}
            value={String(chosen)}
            onInput={(index) => choose(Number(index), found)}
            options={found.map(({ fulfillmentOrderId, webLineId, left }, index) => ({
              value: String(index),
              label: texts.matchOf(fulfillmentOrderId, webLineId, left),
            }))}
          />
          <Stepper label={texts.units} value={quantity} min={1} max={most} onInput={setQuantity} />
        </>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </Dialog>
  );
}
