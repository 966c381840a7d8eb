/** Signature or photo of the recipient, if the client requires it. */
import { Camera, Eraser, PenLine } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { type Asked, type HandOverProof, photoOf, pngOf } from './proof-picture.ts';

/** Minimum number of points in a signature. */
const POINTS_MIN = 8;

interface ProofFieldProps {
  asked: Asked;
  proof: HandOverProof | undefined;
  onProof: (proof: HandOverProof | undefined) => void;
}

export default function ProofField({ asked, proof, onProof }: ProofFieldProps) {
  const { handOver } = t();
  const mayPhoto = asked !== 'SIGNATURE';
  // A proof that is not visible any more must not be sent. The screen makes a new field for another person.
  useEffect(() => () => onProof(undefined), []);
  return (
    <section class="stack tight" aria-label={handOver.proofTitle[asked]}>
      <h2>{handOver.proofTitle[asked]}</h2>
      {asked !== 'PHOTO' && proof?.kind !== 'PHOTO' && <Signature onProof={onProof} />}
      {mayPhoto && proof?.kind !== 'SIGNATURE' && <Photo proof={proof} onProof={onProof} />}
    </section>
  );
}

function Signature({ onProof }: Pick<ProofFieldProps, 'onProof'>) {
  const { handOver } = t();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isSigned, setSigned] = useState(false);
  const drawn = useRef(0);
  const clear = () => {
    wipe(canvas.current!);
    drawn.current = 0;
    setSigned(false);
    onProof(undefined);
  };
  useEffect(() => wipe(canvas.current!), []);
  const draw = (event: PointerEvent, isStart: boolean) => {
    if (!isStart && event.buttons === 0) return;
    const area = canvas.current!;
    const box = area.getBoundingClientRect();
    const pen = area.getContext('2d')!;
    const x = ((event.clientX - box.left) * area.width) / box.width;
    const y = ((event.clientY - box.top) * area.height) / box.height;
    if (isStart) {
      area.setPointerCapture(event.pointerId);
      pen.beginPath();
      pen.moveTo(x, y);
    }
    pen.lineTo(x, y);
    pen.stroke();
    drawn.current += 1;
  };
  const end = () => {
    // A tap is not a signature.
    if (drawn.current < POINTS_MIN) return;
    setSigned(true);
    void pngOf(canvas.current!).then(onProof);
  };
  return (
    <div class="stack tight">
      <span class="quiet">
        <Icon of={PenLine} /> {handOver.proofSign}
      </span>
      <canvas
        ref={canvas}
        class="hand-signature"
        width={600}
        height={220}
        role="img"
        aria-label={handOver.proofSign}
        onPointerDown={(event) => draw(event, true)}
        onPointerMove={(event) => draw(event, false)}
        onPointerUp={end}
      />
      {isSigned && (
        <Button icon={Eraser} onClick={clear}>
          {handOver.proofClear}
        </Button>
      )}
    </div>
  );
}

/** Clears the area and sets the pen: white paper and black ink, also in the dark theme. */
function wipe(area: HTMLCanvasElement): void {
  const pen = area.getContext('2d')!;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, area.width, area.height);
  pen.strokeStyle = '#000';
  pen.lineWidth = 3;
  pen.lineCap = 'round';
}

function Photo({ proof, onProof }: Omit<ProofFieldProps, 'asked'>) {
  const { handOver } = t();
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setError(undefined);
    await photoOf(file).then(onProof, setError);
  };
  return (
    <div class="stack tight">
      {proof !== undefined && (
        <img class="hand-photo" src={`data:${proof.mediaType};base64,${proof.data}`} alt={handOver.proofPhoto} />
      )}
      <input
        ref={field}
        hidden
        type="file"
        accept="image/*"
        capture="environment"
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <Button isWide icon={Camera} onClick={() => field.current?.click()}>
        {handOver.proofPhoto}
      </Button>
      {proof !== undefined && (
        <Button icon={Eraser} onClick={() => onProof(undefined)}>
          {handOver.proofClear}
        </Button>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </div>
  );
}
