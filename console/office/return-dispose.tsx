/** Decides where held units of a return go, at the node that holds them. */
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { call, newId } from '../api.ts';
import { returnTexts, t } from '../texts/index.ts';
import { allOf } from '../ui/all-of.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, Stepper } from '../ui/field.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { ownId } from '../work/own-id.ts';
import { nameIn, useNodes } from './places.ts';
import { nodeReturnPath, type Return, type ReturnLine } from './returns-data.ts';

const PLACES = allOf<components['schemas']['ReturnDispose']['lines'][number]['to']>()([
  'SHELF',
  'DAMAGED',
  'SUPPLIER',
  'COUNT',
  'CUSTOMER',
]);

/**
 * Returns the nodes that can have held units of a line: those whose receipts held some. A matched line has no receipt
 * of its own, so every node with a receipt of the return can hold its units.
 */
function holdersOf({ receipts }: Return, { position }: ReturnLine): string[] {
  const units = new Map<string, number>();
  for (const { nodeId, lines } of receipts) {
    for (const line of lines) {
      if (line.position === position && line.disposition === 'HELD')
        units.set(nodeId, (units.get(nodeId) ?? 0) + line.quantity);
    }
  }
  const own = [...units].flatMap(([nodeId, left]) => (left > 0 ? nodeId : []));
  return own.length > 0 ? own : [...new Set(receipts.map(({ nodeId }) => nodeId))];
}

/** The dialog for the decision on held units. */
export function Dispose({ of, line, onClose }: { of: Return; line: ReturnLine; onClose: (isDone: boolean) => void }) {
  const texts = returnTexts();
  const [quantity, setQuantity] = useState(line.held);
  const [to, setTo] = useState<(typeof PLACES)[number]>('SHELF');
  const [disposeId] = useState(newId);
  const nodes = holdersOf(of, line);
  const places = useNodes();
  const [nodeId, setNode] = useState(nodes[0] ?? '');
  const act = useAction(async () => {
    const path = nodeReturnPath(nodeId, of.returnId, 'dispose');
    await call('POST', path, {
      body: { disposeId, userId: ownId(), lines: [{ position: line.position, quantity, to }] },
    });
    onClose(true);
  });
  return (
    <Dialog
      title={texts.decideTitle(line.itemId)}
      onClose={() => onClose(false)}
      onSubmit={() => void act.run()}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t().actions.back}</Button>
          <Button look="main" isBusy={act.isBusy} onClick={() => void act.run()}>
            {texts.decideNow(quantity, texts.places[to])}
          </Button>
        </>
      }
    >
      {nodes.length > 1 && (
        <Choices
          label={texts.heldAt}
          value={nodeId}
          onInput={setNode}
          options={nodes.map((value) => ({ value, label: nameIn(places, value) }))}
        />
      )}
      <Choices
        label={texts.where}
        value={to}
        onInput={(value) => setTo(value as typeof to)}
        options={PLACES.map((value) => ({ value, label: texts.places[value] }))}
      />
      <Stepper label={texts.units} value={quantity} min={1} max={line.held} onInput={setQuantity} />
      {act.error !== undefined && <ErrorNotice error={act.error} />}
    </Dialog>
  );
}
