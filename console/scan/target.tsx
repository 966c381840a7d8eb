/**
 * The scan target. It has the focus unless the user is in another field. On phones, it opens no keyboard until the user
 * taps the keyboard symbol.
 */
import { Camera, Keyboard, ScanLine } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isLocked } from '../session.ts';
import { loadTexts, shellTexts as t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { soundState } from './sound.ts';

const mounted: HTMLInputElement[] = [];

/**
 * Focuses the scan target after a code, an undo, a dialog or a reconnect. While a dialog is open, only a scan target
 * inside it gets the focus. Codes are also read without the focus.
 */
export function focusScanTarget(): void {
  const target = currentTarget();
  if (target !== undefined && document.activeElement !== target) target.focus({ preventScroll: true });
}

function currentTarget(): HTMLInputElement | undefined {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1);
  return mounted.findLast((one) => dialog === undefined || dialog.contains(one));
}

/**
 * Focuses the scan target after a tap or a dialog, or when the focused element has disappeared. A field that the user
 * is filling keeps the focus.
 */
export function findScanTarget(): void {
  const isFilling = document.activeElement?.matches('input, textarea, select, [contenteditable]');
  if (isFilling !== true) focusScanTarget();
}

let areListenersOn = false;

function keepFocus(): void {
  if (areListenersOn) return;
  areListenersOn = true;
  const later = () => setTimeout(findScanTarget);
  // If Tab moves the focus into the page, the first element gets the focus and keeps it.
  const unlessFocused = () => setTimeout(() => document.activeElement === document.body && findScanTarget());
  // A click by keyboard has `detail` 0. Then the focus remains where the user moved it.
  addEventListener('click', (event) => event.detail > 0 && later(), true);
  addEventListener('focus', unlessFocused);
  addEventListener('online', later);
  // If the element is still in the page, the user has moved the focus. If the element has disappeared, the scan target
  // gets the focus.
  addEventListener('focusout', ({ target }) => setTimeout(() => (target as Node).isConnected || unlessFocused()), true);
}

/** A line for codes from the scanner, from the camera, or typed after a tap on the keyboard symbol. */
export function ScanTarget({ label, hasCamera = true }: { label?: string; hasCamera?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(false);
  const [isCameraOn, setCameraOn] = useState(false);
  const { scan } = t();
  // Runs before the first paint, because a code may arrive as soon as the screen is visible.
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
    // Phones open the keyboard only if the field gets the focus during the tap.
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
          {/* A hint can take two lines; a placeholder cannot. */}
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

/** Browsers allow the camera only on pages over https, and on localhost. */
function canUseCamera(): boolean {
  return isSecureContext && 'mediaDevices' in navigator;
}

type CameraProps = { onClose: () => void };

/** The reader is large, so it loads when the camera is first used. */
const CameraView = lazy<CameraProps>(async () =>
  (await Promise.all([import('./camera.tsx'), loadTexts('floor')]))[0].loadCamera(),
);
