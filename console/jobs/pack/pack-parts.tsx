/** The parts of the packing screen: the open box, the units to pack, the closed boxes. */
import { Flame, PackageOpen, PackageX, Plus } from 'lucide';
import { online } from '../../preferences.ts';
import { number, t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { State } from '../../ui/notice.tsx';
import type { ItemWords } from '../../work/item-words.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import type { Box, PackedBox, PackLine } from './packing.ts';

export function OpenBox({ box: { boxId, inBox, units, take } }: { box: Box }) {
  const { pack } = t();
  return (
    <section class="pack-box" aria-label={pack.box(boxId)}>
      <div class="split">
        <h2>
          <Icon of={PackageOpen} /> {pack.box(boxId)}
        </h2>
        <State look="info">{t().units.units(units)}</State>
      </div>
      {inBox.length === 0 ? (
        <p class="quiet">{pack.boxEmpty}</p>
      ) : (
        <ul class="list">
          {inBox.map(({ line: { webLineId, itemDesc }, count }) => (
            <li class="row" key={webLineId}>
              <span class="grow strong">{itemDesc}</span>
              <span class="big">{count}</span>
              <Button look="plain" label={pack.takeOut(itemDesc, 1)} onClick={() => take(webLineId, 1)}>
                −1
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface ToPackProps {
  box: Box;
  lines: readonly PackLine[];
  pictures: Readonly<Record<string, ItemWords>>;
  onDecline: (line: PackLine) => void;
}

export function ToPack({ box, lines, pictures, onDecline }: ToPackProps) {
  const { pack, units } = t();
  if (box.left === 0) return null;
  return (
    <section class="stack tight">
      <div class="split">
        <h2>{pack.toPack}</h2>
        <span class="quiet">{units.units(box.left)}</span>
      </div>
      <ul class="list">
        {lines
          .filter((line) => box.leftOf(line) > 0)
          .map((line) => (
            <Line
              key={line.webLineId}
              line={line}
              left={box.leftOf(line)}
              picture={pictures[line.itemId]?.imageUrl}
              onAdd={() => box.add(line, 1)}
              onDecline={() => onDecline(line)}
            />
          ))}
      </ul>
    </section>
  );
}

function Line({
  line,
  left,
  picture,
  onAdd,
  onDecline,
}: {
  line: PackLine;
  left: number;
  picture: string | undefined;
  onAdd: () => void;
  onDecline: () => void;
}) {
  const { pack, units } = t();
  const { handling, itemDesc } = line;
  return (
    <WorkLine
      look="check-in"
      name={itemDesc}
      code={line.itemId}
      picture={picture}
      count={left}
      countLabel={units.units(left)}
      instructions={line.instructions}
      components={line.components}
      hazmat={handling?.hazardousMaterialCode}
      states={
        <span class="inline">
          {handling?.shipAlone === 'Yes' && <State look="info">{pack.alone}</State>}
          {handling?.shipTogether === true && <State look="info">{pack.together}</State>}
        </span>
      }
      buttons={
        <>
          <Button icon={Plus} label={`${pack.addOne}: ${itemDesc}`} onClick={onAdd}>
            {pack.addOne}
          </Button>
          <Button icon={PackageX} label={`${pack.decline}: ${itemDesc}`} onClick={onDecline}>
            {pack.decline}
          </Button>
        </>
      }
    />
  );
}

interface ClosedProps {
  packages: readonly PackedBox[];
  lines: readonly PackLine[];
  needsTracking: boolean;
  /** Prints the label of the box again. */
  print: (box: PackedBox) => Promise<boolean>;
  onTrack: (box: PackedBox) => void;
  onOpen: (box: PackedBox) => void;
}

export function ClosedBoxes({ packages, ...rest }: ClosedProps) {
  if (packages.length === 0) return null;
  return (
    <ul class="list" aria-label={t().pack.packed}>
      {packages.map((packed) => (
        <ClosedBox key={packed.boxId} packed={packed} {...rest} />
      ))}
    </ul>
  );
}

function ClosedBox({
  packed,
  lines,
  needsTracking,
  print,
  onTrack,
  onOpen,
}: Omit<ClosedProps, 'packages'> & { packed: PackedBox }) {
  const { pack, counter } = t();
  const { boxWeight, length, width, height, trackingNumber, packageItems, hazardousMaterialCodes } = packed;
  const name = pack.box(packed.boxId);
  const voiding = packed.allowedActions.find(({ action }) => action === 'VOID' || action === 'void');
  const nameOf = (id: string) => lines.find(({ webLineId }) => webLineId === id)?.itemDesc ?? id;
  return (
    <li class="row work-line">
      <span class="grow stack tight">
        <span>
          <span class="strong">{name}</span>{' '}
          <span class="quiet">
            {number(boxWeight.value)} {boxWeight.unit} · {number(length.value)} × {number(width.value)} ×{' '}
            {number(height.value)} {length.unit}
          </span>
        </span>
        <span>{packageItems.map(({ webLineId, quantity }) => `${quantity} × ${nameOf(webLineId)}`).join(', ')}</span>
        <span class="inline">
          {hazardousMaterialCodes?.map((code) => (
            <State look="risk" icon={Flame}>
              {pack.hazmat(code)}
            </State>
          ))}
          {trackingNumber !== undefined && <span class="code">{trackingNumber}</span>}
          {trackingNumber === undefined && needsTracking && <State look="risk">{pack.trackingMissing}</State>}
        </span>
      </span>
      <span class="work-buttons">
        {needsTracking && trackingNumber === undefined && (
          <Button onClick={() => onTrack(packed)} label={`${pack.addTracking}: ${name}`}>
            {pack.addTracking}
          </Button>
        )}
        <PrintButton
          print={() => print(packed)}
          blocked={online.value ? undefined : counter.needsNetwork}
          label={`${counter.papers.boxLabel}: ${name}`}
        >
          {counter.papers.boxLabel}
        </PrintButton>
        <Button
          onClick={() => onOpen(packed)}
          blocked={voiding?.allowed === false ? pack.unpackOver : undefined}
          label={`${pack.unpack}: ${name}`}
        >
          {pack.unpack}
        </Button>
      </span>
    </li>
  );
}
