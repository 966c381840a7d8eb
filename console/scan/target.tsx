/** The scan target: it has the focus whenever a code may come, and shows no keyboard on a phone. */
import { Camera, Keyboard, ScanLine } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isLocked } from '../session.ts';
import { shellTexts as t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Notice } from '../ui/notice.tsx';
import { soundState } from './sound.ts';

const mounted: HTMLInputElement[] = [];

/**
 * Puts the focus on the scan target: after a code, an undo, a dialog, a reconnect. In an open dialog only a target of its own can have
 * it; codes come without it, too.
 */
export function focusScanTarget(): void {
  const target = currentTarget();
  if (target !== undefined && document.activeElement !== target) target.focus({ preventScroll: true });
}

function currentTarget(): HTMLInputElement | undefined {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1);
  return mounted.findLast((one) => dialog === undefined || dialog.contains(one));
}

/** After a tap, a dialog, or when what had the focus has gone, the next code finds the target again. A field that is being filled keeps it. */
export function findScanTarget(): void {
  const active = document.activeElement;
  const isFilling = active?.matches('input, textarea, select, [contenteditable]') === true;
  if (!isFilling && currentTarget()?.matches(':focus') === false) focusScanTarget();
}

let areListenersOn = false;

function keepFocus(): void {
  if (areListenersOn) return;
  areListenersOn = true;
  const later = () => setTimeout(findScanTarget);
  // A click by keyboard has no detail: there the focus stays where the person has put it.
  addEventListener('click', (event) => event.detail > 0 && later(), true);
  addEventListener('focus', later);
  addEventListener('online', later);
  addEventListener(
    'focusout',
    () => setTimeout(() => document.activeElement === document.body && findScanTarget()),
    true,
  );
}

/** One line that takes codes: by scanner, by the camera, or typed after a tap on the keyboard sign. */
export function ScanTarget({ label, hasCamera = true }: { label?: string; hasCamera?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(false);
  const [isCameraOn, setCameraOn] = useState(false);
  const { scan } = t();
  // Before the first paint: a code may come as soon as something is to be seen.
  useLayoutEffect(() => {
    const target = input.current!;
    mounted.push(target);
    keepFocus();
    focusScanTarget();
    return () => {
      mounted.splice(mounted.indexOf(target), 1);
      setTimeout(findScanTarget);
    };
  }, []);
  const type = () => {
    const target = input.current!;
    // The keyboard of a phone opens only when the field gets the focus within the tap.
    target.inputMode = 'text';
    target.focus();
    setTyping(true);
  };
  const name = label ?? scan.target;
  return (
    <div class="scan-target-frame">
      <div class="scan-target">
        <Icon of={ScanLine} />
        <div class="scan-line">
          <input
            ref={input}
            data-scan-target=""
            type="text"
            inputMode={isTyping ? 'text' : 'none'}
            enterKeyHint="done"
            autoComplete="off"
            autoCapitalize="off"
            autocorrect="off"
            spellcheck={false}
            maxLength={4_000}
            placeholder=" "
            aria-label={name}
            onBlur={() => setTyping(false)}
            onKeyUp={({ key }) => key === 'Enter' && setTyping(false)}
          />
          {/* A hint may take two lines, a placeholder cannot. */}
          <span class="scan-hint" aria-hidden="true">
            {name}
          </span>
        </div>
        <button type="button" class="button plain" aria-label={scan.type} onClick={type}>
          <Icon of={Keyboard} />
        </button>
        {hasCamera && canUseCamera() && (
          <button
            type="button"
            class="button plain"
            aria-label={isCameraOn ? scan.cameraOff : scan.cameraOn}
            aria-pressed={isCameraOn}
            onClick={() => setCameraOn(!isCameraOn)}
          >
            <Icon of={Camera} />
          </button>
        )}
      </div>
      {soundState.value === 'waiting' && <p class="scan-muted small quiet">{scan.muted}</p>}
      {isCameraOn && !isLocked.value && <CameraView onClose={() => setCameraOn(false)} />}
    </div>
  );
}

/** Browsers give the camera to pages over https, and on the device itself. */
function canUseCamera(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
}

type CameraProps = { onClose: () => void };

/** The camera's reader is large: it is loaded when the camera is first used. */
const CameraView = lazy<CameraProps>(
  async () => (await import('./camera.tsx')).CameraScanner,
  () => <Notice look="wrong" title={t().scan.cameraNotLoaded} />,
);
