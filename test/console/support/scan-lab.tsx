/**
 * A page with elements that can disturb scanned codes: fields, buttons, a dialog, shortcuts. `globalThis.lab` has the
 * received codes.
 */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { feedback } from '../../../console/scan/feedback.ts';
import { listen, watchRaw } from '../../../console/scan/listen.ts';
import { setProfile } from '../../../console/scan/profile.ts';
import { onScan, type Scan } from '../../../console/scan/queue.ts';
import { prepareSound, soundState } from '../../../console/scan/sound.ts';
import { ScanTarget } from '../../../console/scan/target.tsx';
import { loadTexts, showLanguage } from '../../../console/texts/index.ts';
import { Dialog } from '../../../console/ui/dialog.tsx';

const scans: Scan[] = [];
const keys: string[] = [];
const clicks: string[] = [];
let raw = 0;

function Page() {
  const [quantity, setQuantity] = useState('7');
  const [isOpen, setOpen] = useState(false);
  const [hasTarget, setTarget] = useState(true);
  lab.showDialog = setOpen;
  return (
    <main>
      {hasTarget && <ScanTarget hasCamera={false} />}
      <label>
        Quantity <input id="quantity" value={quantity} onInput={(event) => setQuantity(event.currentTarget.value)} />
      </label>
      <output id="shown">{quantity}</output>
      <label>
        Code <input id="keep" data-scan="keep" />
      </label>
      <select id="select" aria-label="Reason">
        <option>1</option>
        <option>4</option>
      </select>
      <button type="button" id="button" onClick={() => clicks.push('button')}>
        Button
      </button>
      <button type="button" id="open" onClick={() => setOpen(true)}>
        Open
      </button>
      <button type="button" id="target" onClick={() => setTarget(!hasTarget)}>
        Target
      </button>
      {isOpen && (
        <Dialog title="Dialog" onClose={() => setOpen(false)}>
          <button type="button" id="inside" onClick={() => clicks.push('inside')}>
            Inside
          </button>
          <input id="typed" aria-label="Typed" />
        </Dialog>
      )}
      <p>Text behind the dialog</p>
    </main>
  );
}

const lab = {
  scans,
  keys,
  clicks,
  setProfile,
  feedback,
  sound: () => soundState.value,
  raw: () => raw,
  showDialog: (_: boolean) => {},
  closesByCode: false,
  busyMs: (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  },
};
export type ScanLab = typeof lab;

await Promise.all([showLanguage('en'), loadTexts('floor')]);
listen();
prepareSound();
watchRaw(() => {
  raw += 1;
});
onScan((scan) => {
  scans.push(scan);
  if (lab.closesByCode) lab.showDialog(false);
});
document.addEventListener('keydown', ({ key }) => keys.push(key));
render(<Page />, document.getElementById('app')!);
Object.assign(globalThis, { lab });
