/** Reads codes from the camera. The reader is a WebAssembly file of this package; no picture leaves the device. */
import { FlashlightOff, X } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm';
import { ApiError } from '../api.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { pushScan } from './queue.ts';
import { CameraRepeats } from './repeat.ts';

const READER: ReaderOptions = {
  formats: [
    'Code128',
    'EAN13',
    'EAN8',
    'UPCA',
    'UPCE',
    'ITF',
    'Code39',
    'DataBar',
    'DataBarExp',
    'QRCode',
    'DataMatrix',
  ],
  tryHarder: true,
  tryInvert: false,
  maxNumberOfSymbols: 4,
  textMode: 'Plain',
};
/** Maximum width of a picture. Wider pictures take longer to read and yield few more codes. */
const WIDTH_MAX = 1_280;
/** Minimum pause between two pictures. Reading uses at most half of the time, so that the page remains responsive. */
const PAUSE_MIN_MS = 40;

const overrides = { locateFile: () => wasm };

type State = 'starting' | 'on' | 'denied' | 'none';

/** Loads the reader, and returns the component with the picture. @throws ApiError if the reader cannot be loaded */
export async function loadCamera(): Promise<typeof CameraScanner> {
  try {
    await prepareZXingModule({ overrides, fireImmediately: true });
  } catch {
    // Otherwise, each further try would get the same error.
    purgeZXingModule();
    throw new ApiError(0, {});
  }
  return CameraScanner;
}

function CameraScanner({ onClose }: { onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<State>('starting');
  const [torch, setTorch] = useState<{ isOn: boolean; set: (isOn: boolean) => void } | undefined>();
  const { scanner, actions } = t();
  useEffect(() => {
    const stop = new AbortController();
    void run(video.current!, stop.signal, setState, (track) => {
      const set = (isOn: boolean) => {
        void track.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] });
        setTorch({ isOn, set });
      };
      setTorch({ isOn: false, set });
    });
    return () => stop.abort();
  }, []);
  return (
    <div class="scan-camera">
      {/* The picture is live and silent, so it has no captions. */}
      <video
        ref={video}
        playsInline
        muted
        aria-label={scanner.cameraView}
        hidden={state === 'denied' || state === 'none'}
      />
      {state === 'denied' && (
        <Notice look="risk" title={scanner.cameraDenied}>
          {scanner.cameraDeniedHint}
        </Notice>
      )}
      {state === 'none' && (
        <Notice look="risk" title={scanner.cameraNone}>
          {scanner.cameraNoneHint}
        </Notice>
      )}
      <div class="scan-camera-actions">
        {torch !== undefined && (
          <Button icon={FlashlightOff} onClick={() => torch.set(!torch.isOn)}>
            {torch.isOn ? scanner.lightOff : scanner.lightOn}
          </Button>
        )}
        <button type="button" class="button" onClick={onClose}>
          <Icon of={X} />
          {actions.close}
        </button>
      </div>
    </div>
  );
}

/** Opens the camera and reads pictures until the signal stops it. */
async function run(
  video: HTMLVideoElement,
  signal: AbortSignal,
  say: (state: State) => void,
  offerTorch: (track: MediaStreamTrack) => void,
): Promise<void> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: WIDTH_MAX }, height: { ideal: 720 } },
    });
  } catch (error) {
    if (!signal.aborted) say(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'none');
    return;
  }
  const track = stream.getVideoTracks()[0]!;
  const close = () => {
    for (const one of stream.getTracks()) one.stop();
    video.srcObject = null;
  };
  signal.addEventListener('abort', close);
  if (signal.aborted) {
    close();
    return;
  }
  video.srcObject = stream;
  await video.play().catch(() => undefined);
  say('on');
  // Firefox does not support `getCapabilities`.
  if ('getCapabilities' in track && 'torch' in track.getCapabilities()) offerTorch(track);
  const canvas = document.createElement('canvas');
  const repeats = new CameraRepeats();
  // If the camera ends or another app mutes it, the last picture remains. A code in it must not count again.
  track.addEventListener('ended', () => say('none'));
  const isStopped = () => signal.aborted || track.readyState === 'ended';
  while (!isStopped()) {
    const started = performance.now();
    if (document.visibilityState === 'visible' && !track.muted && video.videoWidth > 0) {
      const codes = await codesIn(video, canvas);
      if (isStopped()) return;
      for (const text of repeats.codesOf(codes, performance.now(), isCovered(video)))
        pushScan({ text, source: 'camera', at: Date.now(), isMeant: true });
    }
    const spent = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.max(PAUSE_MIN_MS, spent)));
  }
}

/** Returns whether a dialog covers the picture. A camera inside of the dialog is not covered. */
function isCovered(video: HTMLVideoElement): boolean {
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  return dialog !== undefined && !dialog.contains(video);
}

async function codesIn(video: HTMLVideoElement, canvas: HTMLCanvasElement): Promise<string[]> {
  const scale = Math.min(1, WIDTH_MAX / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  const found = await readBarcodes(context.getImageData(0, 0, canvas.width, canvas.height), READER);
  return found
    .filter(({ isValid }) => isValid)
    .map(({ symbologyIdentifier, text }) => textOf(symbologyIdentifier, text));
}

/** GS1 codes keep their symbology identifier. It marks the text as GS1 elements. */
function textOf(symbologyIdentifier: string, text: string): string {
  return /^\](C1|e\d|d2|Q3)$/.test(symbologyIdentifier) ? `${symbologyIdentifier}${text}` : text;
}
