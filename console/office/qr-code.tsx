/** A QR code on the screen, black on white in every theme. */
import { useEffect, useRef } from 'preact/hooks';

export function QrCode({ text, label }: { text: string; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    void import('bwip-js/browser').then(({ qrcode }) => {
      if (canvas.current === null) return;
      qrcode(canvas.current, {
        bcid: 'qrcode',
        text,
        scale: 6,
        paddingwidth: 4,
        paddingheight: 4,
        backgroundcolor: 'FFFFFF',
      });
    });
  }, [text]);
  return <canvas ref={canvas} role="img" aria-label={label} class="qr-code" />;
}
