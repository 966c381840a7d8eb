/** Tries a file: a dry run shows each finding at its segment before the file is sent. */
import { Send } from 'lucide';
import { useId, useState } from 'preact/hooks';
import { go, href } from '../router.ts';
import { ediTexts, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { type EdiInterchange, postFile } from './edi-data.ts';
import { bytesAsText, interchangesOf, type RawInterchange } from './edi-segments.ts';
import { InterchangeView } from './edi-view.tsx';
import { Page } from './page.tsx';

interface Tried {
  file: File;
  interchanges: readonly EdiInterchange[];
  raw: readonly RawInterchange[];
}

export default function EdiTry() {
  const texts = ediTexts();
  const [tried, setTried] = useState<Tried | undefined>();
  const check = useAction(async (file: File) => {
    setTried(undefined);
    const [interchanges, bytes] = await Promise.all([postFile(file, true), file.arrayBuffer()]);
    setTried({ file, interchanges, raw: interchangesOf(bytesAsText(bytes)) });
  });
  const accept = useAction(async (file: File) => {
    await postFile(file, false);
    go('/office/edi');
  });
  return (
    <Page title={texts.tryFile} sub={texts.tryHint} backTo={{ to: href('/office/edi'), label: t().nav.edi }}>
      <DropZone isBusy={check.isBusy} onFile={(file) => void check.run(file)} />
      {check.error !== undefined && <ErrorNotice error={check.error} />}
      {tried !== undefined && (
        <>
          <div class="split">
            <p>
              <span class="strong">{tried.file.name}</span> <span class="quiet">{texts.nothingKept}</span>
            </p>
            <Button icon={Send} isBusy={accept.isBusy} onClick={() => void accept.run(tried.file)}>
              {texts.sendNow}
            </Button>
          </div>
          {accept.error !== undefined && <ErrorNotice error={accept.error} />}
          {tried.interchanges.length === 0 && <Notice look="risk" title={texts.emptyTitle} />}
          {tried.interchanges.map((interchange, index) => (
            <section class="stack" aria-label={`${texts.interchange} ${interchange.controlNumber}`}>
              {tried.interchanges.length > 1 && (
                <h2>
                  {texts.interchange} <span class="code">{interchange.controlNumber}</span>
                </h2>
              )}
              <InterchangeView interchange={interchange} segments={tried.raw[index]?.segments} />
            </section>
          ))}
        </>
      )}
    </Page>
  );
}

/** Accepts a file by drag and drop or by choice. */
function DropZone({ isBusy, onFile }: { isBusy: boolean; onFile: (file: File) => void }) {
  const texts = ediTexts();
  const [isOver, setOver] = useState(false);
  const id = useId();
  return (
    <label
      for={id}
      class={`edi-drop${isOver ? ' over' : ''}`}
      aria-busy={isBusy ? 'true' : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) onFile(file);
      }}
    >
      <span class="strong">{texts.drop}</span>
      <span class="quiet">{texts.dropHint}</span>
      <input
        id={id}
        type="file"
        accept=".x12,.edi,.txt,.asn"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
