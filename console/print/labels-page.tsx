/** Prints labels and command cards: on the browser's printer, or as ZPL for a label printer. */
import { Download, Printer } from 'lucide';
import { useState } from 'preact/hooks';
import { hasCheckDigit } from '../../src/shared/gs1.ts';
import { may, place } from '../session.ts';
import { deskTexts, language, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';
import {
  downloadZpl,
  type LabelPrinter,
  lastPrinter,
  loadPrinters,
  paper,
  printLabels,
  sendLabels,
  setPaper,
} from './index.ts';
import { cartonLabel, commandCard, itemLabel, type Label, placeLabel, toteLabel } from './labels.ts';
import { PAPERS, type Paper } from './paper.ts';
import { textsOf } from './texts/index.ts';
import type { Dpi } from './zpl.ts';

const KINDS = ['place', 'tote', 'item', 'carton', 'commands'] as const;
type Kind = (typeof KINDS)[number];
/** Limit of labels per print. */
const LABELS_MAX = 500;
const TEXT_MAX = 40;

export default function Labels() {
  const { print: texts } = deskTexts();
  const [kind, setKind] = useState<Kind>('place');
  const [text, setText] = useState('');
  const [dpi, setDpi] = useState<Dpi>(203);
  const codes = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const error = errorOf(kind, codes);
  const labels = error === undefined ? labelsOf(kind, codes) : [];
  const blocked = error ?? (labels.length === 0 ? texts.nothing : undefined);
  const printing = useAction(() => printLabels(labels));
  const saving = useAction(() => downloadZpl(labels, dpi));
  return (
    <Screen
      title={t().nav.labels}
      actions={
        <Button
          look="main"
          icon={Printer}
          blocked={blocked}
          isBusy={printing.isBusy}
          onClick={() => void printing.run()}
        >
          {t().actions.print}
        </Button>
      }
    >
      <SelectField
        label={texts.kind}
        value={kind}
        onInput={(value) => setKind(value as Kind)}
        options={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
      />
      {kind !== 'commands' && (
        <TextField
          label={texts.codes}
          hint={texts.codesHint}
          error={error}
          value={text}
          isMultiline
          onInput={setText}
        />
      )}
      {may('fulfillment.write', 'checkin.write', 'receive') && <OnPrinter labels={labels} blocked={blocked} />}
      <section class="card stack">
        <h2>{texts.zpl}</h2>
        <SelectField
          label={texts.resolution}
          value={String(dpi)}
          onInput={(value) => setDpi(Number(value) as Dpi)}
          options={['203', '300', '600'].map((value) => ({ value, label: `${value} dpi` }))}
        />
        <Button icon={Download} blocked={blocked} onClick={() => void saving.run()}>
          {texts.download}
        </Button>
      </section>
      <SelectField
        label={texts.paper}
        hint={texts.paperHint}
        value={paper.value}
        onInput={(value) => setPaper(value as Paper)}
        options={Object.keys(PAPERS).map((value) => ({ value, label: texts.papers[value as Paper] }))}
      />
      {[printing.error, saving.error].map((one) => one !== undefined && <ErrorNotice error={one} />)}
    </Screen>
  );
}

/** Prints on a label printer of the node, if the node has one. */
function OnPrinter({ labels, blocked }: { labels: readonly Label[]; blocked: string | undefined }) {
  const { print: texts } = deskTexts();
  const [chosen, setChosen] = useState(lastPrinter());
  const [isSent, setSent] = useState(false);
  const [printIds] = useState(() => new Map<string, string>());
  const here = place.value;
  const loaded = useLoad(`printers ${here?.clientId} ${here?.nodeId}`, loadPrinters);
  const printers: readonly LabelPrinter[] = loaded.data.value ?? [];
  const printer = printers.find(({ printerId }) => printerId === chosen) ?? printers[0];
  const sending = useAction(async () => {
    setSent(false);
    await sendLabels(labels, printer!, printIds);
    setSent(true);
  });
  if (printer === undefined) return null;
  return (
    <section class="card stack">
      <SelectField
        label={texts.printer}
        value={printer.printerId}
        onInput={setChosen}
        options={printers.map(({ printerId, name }) => ({ value: printerId, label: name }))}
      />
      <Button icon={Printer} blocked={blocked} isBusy={sending.isBusy} onClick={() => void sending.run()}>
        {texts.printOn}
      </Button>
      {sending.error !== undefined && <ErrorNotice error={sending.error} />}
      {isSent && <Notice look="right" title={texts.sent} />}
    </section>
  );
}

function errorOf(kind: Kind, codes: readonly string[]): string | undefined {
  const { print: texts } = deskTexts();
  if (kind === 'commands') return undefined;
  if (codes.length > LABELS_MAX) return texts.tooMany(LABELS_MAX);
  const wrong = codes.find((code) =>
    kind === 'carton' ? !/^\d{18}$/.test(code) || !hasCheckDigit(code) : code.length > TEXT_MAX || /\p{Cc}/u.test(code),
  );
  return wrong === undefined
    ? undefined
    : kind === 'carton'
      ? texts.wrongSscc(wrong)
      : texts.wrongCode(wrong, TEXT_MAX);
}

function labelsOf(kind: Kind, codes: readonly string[]): Label[] {
  const words = textsOf(language.value);
  switch (kind) {
    case 'place':
      return codes.map((place) => placeLabel({ place }));
    case 'tote':
      return codes.map((tote) => toteLabel({ tote, code: tote }));
    case 'item':
      return codes.map((code) => itemLabel({ description: code, itemId: '', code }));
    case 'carton':
      return codes.map((sscc) => cartonLabel({ sscc, from: [], to: [] }));
    case 'commands':
      return [
        commandCard({ command: 'OK', name: words.ok }),
        commandCard({ command: 'UNDO', name: words.undo }),
        commandCard({ command: 'SHORT', name: words.shortCommand }),
      ];
  }
}
