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
import { hasNode, nodeReturnPath, type Return, type ReturnLine } from './returns-data.ts';

const PLACES = allOf<components['schemas']['ReturnDispose']['lines'][number]['to']>()([
  'SHELF',
  'DAMAGED',
  'SUPPLIER',
  'COUNT',
  'CUSTOMER',
]);

/**
 * Returns the nodes that can have held units of a line, the nodes of the user first. These are the nodes whose receipts
 * put units of the line on hold. Matched units have no receipt of their line, so every node with a receipt of the
 * return can hold them.
 */
function holdersOf({ receipts }: Return, line: ReturnLine): string[] {
  const held = new Map<string, number>();
  let received = 0;
  for (const { nodeId, lines } of receipts) {
    for (const { position, disposition, quantity } of lines) {
      if (position !== line.position) continue;
      received += quantity;
      if (disposition === 'HELD') held.set(nodeId, (held.get(nodeId) ?? 0) + quantity);
    }
  }
  const own = [...held].flatMap(([nodeId, left]) => (left > 0 ? nodeId : []));
  const hasMatched = line.sellable + line.damaged + line.held + line.givenBack > received;
  const all = hasMatched ? receipts.map(({ nodeId }) => nodeId) : [];
  return [...new Set([...own, ...all])].toSorted((a, b) => Number(hasNode(b)) - Number(hasNode(a)));
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
