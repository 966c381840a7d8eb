/** Imports: the browser sends items as CSV. Rejected rows are listed with their errors, and can be downloaded. */
import { Download, Upload } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { ApiError, SERVICE, whenSignedOut } from '../api.ts';
import { ownClient } from '../session.ts';
import { language, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { toCsv } from '../ui/csv.ts';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { download, Table } from '../ui/table.tsx';
import { mustBeReadable } from './must-be-readable.ts';
import { Page } from './page.tsx';

/**
 * The result of an upload (docs/interface.md). The service stores the good rows, and lists the rejected rows with their
 * errors.
 */
interface Uploaded {
  itemCount: number;
  uploadedItemCount: number;
  rejectedItemCount: number;
  errItemList?: { entry: { key: string; value: { errMsg: string[] } }[] };
}

/** Columns that most files have, with one row. A column has the name of its field. */
const templateOf = (clientId: string) => [
  [
    ...['clientId', 'catalogId', 'clientItemId', 'itemId', 'type', 'salesClass', 'styleId', 'taxCode', 'description'],
    ...['upcs.0.upcType', 'upcs.0.upc'],
  ],
  [
    ...[clientId, '21', 'CUP-1', '21-CUP-1', 'MERCH', 'stock', 'CUP', '76800', 'Espresso cup, white'],
    ...['UPC', '400000000411'],
  ],
];

/** Errors with their places: of rejected rows, or of a file that is rejected as a whole. */
interface Rejects {
  title: string;
  where: string;
  rows: [at: string, message: string][];
}

/** Returns the errors of a rejected file by column. The service has read no row of it. */
function fileRejects({ errors, message }: ApiError): Rejects {
  const { imports: texts } = o();
  const all = errors.length > 0 ? errors : [{ pointer: '', message }];
  const rows = all.map((one): [string, string] => [columnOf(one.pointer) || texts.wholeFile, one.message]);
  return { title: texts.fileErrors, where: texts.column, rows };
}

/** The name of a column by the pointer of its field. */
function columnOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Returns the errors of rejected rows by itemId. A row without itemId has a key such as `line 2`, of which the number
 * is shown.
 */
function rowRejects(result: Uploaded | undefined): Rejects {
  const { imports: texts } = o();
  const rows = (result?.errItemList?.entry ?? []).flatMap(({ key, value }) =>
    value.errMsg.map((message): [string, string] => [key.replace(/^line (?=\d+$)/, ''), message]),
  );
  return { title: texts.rejected, where: texts.where, rows };
}

export default function Imports() {
  const { imports: texts } = o();
  const [file, setFile] = useState<File | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState(0);
  const [result, setResult] = useState<Uploaded | undefined>();
  const action = useAction(async () => {
    setResult(undefined);
    await mustBeReadable(file!).catch((error: unknown) => {
      // Clears the choice, because a browser does not report the choice of a file that is already chosen.
      input.current!.value = '';
      setFile(undefined);
      throw error;
    });
    setResult(await upload(file!, setShare));
  });
  const { error } = action;
  const rejected = error instanceof ApiError && error.status === 400 ? error : undefined;
  const rejects = rejected === undefined ? rowRejects(result) : fileRejects(rejected);
  return (
    <Page
      title={t().nav.imports}
      tools={
        <Button icon={Download} onClick={() => download('items.csv', toCsv(templateOf(ownClient()), language.value))}>
          {texts.template}
        </Button>
      }
    >
      <div class="stack narrow">
        <p>{texts.hint}</p>
        <div class="field">
          <label for="file">{texts.file}</label>
          <input
            ref={input}
            id="file"
            class="input"
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        </div>
        <div>
          <Button
            look="main"
            icon={Upload}
            isBusy={action.isBusy}
            blocked={file === undefined ? texts.chooseFile : undefined}
            onClick={() => void action.run()}
          >
            {texts.send}
          </Button>
        </div>
        {action.isBusy && (
          <div class="stack tight">
            <progress class="progress" value={share} max={1} aria-label={texts.sending} />
            <p class="quiet">{share < 1 ? texts.sending : texts.checking}</p>
          </div>
        )}
        {rejected !== undefined && <Notice look="wrong" title={texts.fileRejected} />}
        {error !== undefined && rejected === undefined && <ErrorNotice error={error} />}
        {result !== undefined && <Done of={result} />}
      </div>
      {rejects.rows.length > 0 && <RejectsTable of={rejects} />}
      <p class="quiet narrow">{texts.large}</p>
    </Page>
  );
}

function Done({ of: { itemCount, uploadedItemCount, rejectedItemCount } }: { of: Uploaded }) {
  const { imports: texts } = o();
  if (rejectedItemCount === 0) return <Notice look="right" title={texts.done(itemCount)} />;
  return (
    <Notice look="wrong" title={texts.partly(rejectedItemCount, itemCount)}>
      {texts.partlyHint(uploadedItemCount)}
    </Notice>
  );
}

/** Maximum number of rows that are shown. The file has all rows. */
const ROWS = 200;

function RejectsTable({ of: { title, where, rows } }: { of: Rejects }) {
  const { imports: texts } = o();
  return (
    <section class="stack">
      <div>
        <Button
          icon={Download}
          onClick={() => download('rejects.csv', toCsv([[where, texts.error], ...rows], language.value))}
        >
          {texts.rejects}
        </Button>
      </div>
      <Table
        caption={title}
        rows={rows.slice(0, ROWS)}
        keyOf={([at, message]) => `${at} ${message}`}
        columns={[
          { title: where, show: ([at]) => <span class="code">{at}</span> },
          { title: texts.error, show: ([, message]) => message },
        ]}
      />
    </section>
  );
}

/** Sends the file. XMLHttpRequest, unlike fetch, reports the progress of an upload. */
function upload(file: File, onShare: (share: number) => void): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const onRefused = whenSignedOut.begin();
    const request = new XMLHttpRequest();
    request.open('POST', `${SERVICE}/item-service/clients/${encodeURIComponent(ownClient())}/upload`);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('accept-language', language.peek());
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(new ApiError(0, {}));
    request.onload = () => {
      let body: Record<string, unknown> = {};
      try {
        body = request.responseText === '' ? {} : (JSON.parse(request.responseText) as Record<string, unknown>);
      } catch {
        // A proxy can respond with a page of its own, which is not JSON. `body` then remains empty.
      }
      if (request.status < 300) resolve(body as unknown as Uploaded);
      else {
        const refused = new ApiError(request.status, body);
        if (refused.status === 401) onRefused(refused);
        reject(refused);
      }
    };
    const form = new FormData();
    form.append('filename', file);
    request.send(form);
  });
}
