/** Tests this device's scanner and sound: shows the received keys and the code read from them, and sets the scanner. */

import { Trash2, Volume2 } from 'lucide';
import { useLayoutEffect, useState } from 'preact/hooks';
import { number, t, time, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Check, TextField } from '../ui/field.tsx';
import { Empty } from '../ui/load.tsx';
import { Notice } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';
import { readToday } from './codes.ts';
import { type Feedback, feedback } from './feedback.ts';
import { GAP_MAX_MS, GAP_MIN_MS } from './keys.ts';
import { type RawEvent, watchRaw } from './listen.ts';
import { profile, setProfile } from './profile.ts';
import { onScan, type Scan } from './queue.ts';
import { setSound, soundState } from './sound.ts';
import { ScanTarget } from './target.tsx';

const EVENTS_MAX = 60;
const SCANS_MAX = 10;

export default function ScannerTest() {
  const { scanner } = t();
  const [scans, setScans] = useState<Scan[]>([]);
  useLayoutEffect(
    () =>
      onScan((one) => {
        setScans((before) => [one, ...before].slice(0, SCANS_MAX));
        feedback(readToday(one.text).warnings.length === 0 ? 'right' : 'wrong');
      }),
    [],
  );
  return (
    <Screen title={t().nav.scanner}>
      <ScanTarget />
      <section class="stack" aria-label={scanner.codes} aria-live="polite">
        {scans.length === 0 ? (
          <Empty title={scanner.none}>{scanner.noneHint}</Empty>
        ) : (
          scans.map((one) => <Code scan={one} />)
        )}
      </section>
      <Sound />
      <ProfileForm />
      <RawEvents />
    </Screen>
  );
}

function Code({ scan: one }: { scan: Scan }) {
  const { scanner } = t();
  const { reads, warnings } = readToday(one.text);
  return (
    <article class="card stack tight">
      <p class="strong scan-code">{visible(one.text)}</p>
      <p class="small quiet">
        {word(scanner.sources, one.source)} · {time(one.at)} · {scanner.characters(one.text.length)}
        {one.command !== undefined && ` · ${scanner.command(one.command)}`}
      </p>
      <dl class="scan-reads">
        {reads.map(({ kind, value }) => (
          <div>
            <dt class="quiet">{word(scanner.kinds, kind)}</dt>
            <dd class="scan-code">{visible(value)}</dd>
          </div>
        ))}
      </dl>
      {warnings.map(({ code, description }) => (
        <Notice look="risk" title={word(scanner.warnings, code)}>
          <p class="small">{description}</p>
        </Notice>
      ))}
    </article>
  );
}

function Sound() {
  const { scanner } = t();
  const state = soundState.value;
  return (
    <section class="card stack">
      <h2>{scanner.sound}</h2>
      <Check label={scanner.soundOn} isChecked={state !== 'off'} onChange={setSound} />
      {state === 'waiting' && <Notice look="info" title={t().scan.muted} />}
      <div class="row-of-buttons">
        {(['right', 'wrong', 'done'] satisfies Feedback[]).map((what) => (
          <Button icon={Volume2} onClick={() => feedback(what)}>
            {scanner.tones[what]}
          </Button>
        ))}
      </div>
    </section>
  );
}

function ProfileForm() {
  const { scanner } = t();
  const { prefix, gapMs, endsByGap } = profile.value;
  const [gap, setGap] = useState(String(gapMs));
  const isWrong = !/^\d{1,5}$/.test(gap) || Number(gap) < GAP_MIN_MS || Number(gap) > GAP_MAX_MS;
  return (
    <section class="card stack">
      <h2>{scanner.profile}</h2>
      <p class="quiet">{scanner.profileHint}</p>
      <TextField
        label={scanner.gap}
        hint={scanner.gapHint}
        error={isWrong ? scanner.gapWrong(number(GAP_MIN_MS), number(GAP_MAX_MS)) : undefined}
        value={gap}
        inputMode="numeric"
        onInput={(value) => {
          setGap(value);
          const wanted = Number(value);
          if (wanted >= GAP_MIN_MS && wanted <= GAP_MAX_MS) setProfile({ gapMs: wanted });
        }}
      />
      <TextField
        label={scanner.prefix}
        hint={scanner.prefixHint}
        value={prefix}
        maxLength={10}
        onInput={(value) => setProfile({ prefix: value })}
      />
      <Check
        label={scanner.endsByGap}
        isChecked={endsByGap}
        onChange={(isChecked) => setProfile({ endsByGap: isChecked })}
      />
    </section>
  );
}

function RawEvents() {
  const { scanner } = t();
  const [events, setEvents] = useState<RawEvent[]>([]);
  useLayoutEffect(() => watchRaw((event) => setEvents((before) => [event, ...before].slice(0, EVENTS_MAX))), []);
  return (
    <section class="card stack">
      <div class="split">
        <h2>{scanner.events}</h2>
        <Button icon={Trash2} look="plain" onClick={() => setEvents([])}>
          {t().actions.reset}
        </Button>
      </div>
      <p class="quiet">{scanner.eventsHint}</p>
      {events.length > 0 && (
        <div class="scan-events-frame">
          <table class="scan-events">
            <thead>
              <tr>
                <th scope="col">{scanner.event}</th>
                <th scope="col">{scanner.data}</th>
                <th scope="col">{scanner.since}</th>
              </tr>
            </thead>
            <tbody>
              {events.map(({ type, data, place, sinceMs }) => (
                <tr>
                  <td>
                    {type} · {word(scanner.places, place)}
                  </td>
                  <td class="scan-code">{visible(data)}</td>
                  <td class="number">{number(sinceMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Returns the text with visible signs for control characters and blanks. */
function visible(text: string): string {
  return Array.from(text)
    .map((character) => {
      const point = character.codePointAt(0)!;
      return point <= 0x20 ? String.fromCodePoint(0x2400 + point) : character;
    })
    .join('');
}
