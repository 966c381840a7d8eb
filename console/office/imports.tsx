/** Imports: the browser sends items as CSV. The rejected rows can be downloaded with their reasons. */
import { Download, Upload } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, SERVICE } from '../api.ts';
import { ownClient } from '../session.ts';
import { number, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { download } from '../ui/table.tsx';
import { Page } from './page.tsx';

interface Uploaded {
  total?: number;
  succeeded?: number;
  failed?: number;
  errors?: { row?: number; message: string }[];
  [field: string]: unknown;
}

export default function Imports() {
  const { imports: texts } = o();
  const [file, setFile] = useState<File | undefined>();
  const [share, setShare] = useState(0);
  const [result, setResult] = useState<Uploaded | undefined>();
  const action = useAction(async () => {
    setResult(undefined);
    setResult(await upload(file!, setShare));
  });
  return (
    <Page title={t().nav.imports} sub={ownClient()}>
      <div class="stack narrow">
        <p>{texts.hint}</p>
        <div class="field">
          <label for="file">{texts.file}</label>
          <input
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
        {action.error !== undefined && <ErrorNotice error={action.error} />}
        {action.error instanceof ApiError && action.error.errors.length > 0 && (
          <Button
            icon={Download}
            onClick={() =>
              download(
                'rejects.csv',
                [
                  'pointer,rule,message',
                  ...(action.error as ApiError).errors.map(({ pointer, rule, message }) =>
                    [pointer, rule, `"${message.replaceAll('"', '""')}"`].join(','),
                  ),
                ].join('\r\n'),
              )
            }
          >
            {texts.rejects}
          </Button>
        )}
        {result !== undefined && (
          <Notice look="right" title={texts.done}>
            <dl class="facts">
              {Object.entries(result)
                .filter((entry): entry is [string, number | string] => ['number', 'string'].includes(typeof entry[1]))
                .map(([name, value]) => (
                  <>
                    <dt class="code">{name}</dt>
                    <dd>{typeof value === 'number' ? number(value) : value}</dd>
                  </>
                ))}
            </dl>
          </Notice>
        )}
        <p class="quiet">{texts.large}</p>
      </div>
    </Page>
  );
}

/** Sends the file. XMLHttpRequest, unlike fetch, reports the progress of an upload. */
function upload(file: File, onShare: (share: number) => void): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${SERVICE}/item-service/clients/${encodeURIComponent(ownClient())}/upload`);
    request.setRequestHeader('accept', 'application/json');
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(new ApiError(0, {}));
    request.onload = () => {
      let body: Record<string, unknown> = {};
      try {
        body = request.responseText === '' ? {} : (JSON.parse(request.responseText) as Record<string, unknown>);
      } catch {
        // A proxy in between may respond with its own page.
      }
      if (request.status < 300) resolve(body);
      else reject(new ApiError(request.status, body));
    };
    const form = new FormData();
    form.append('filename', file);
    request.send(form);
  });
}
