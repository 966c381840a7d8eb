/** Pictures of a proof: small enough for the service, without the data that a camera adds. */
import type { components } from '../../../contract/client.d.ts';
import type { WorkSettings } from '../../choices.ts';

export type Asked = Exclude<WorkSettings['handOverProof'], 'NONE'>;
export type HandOverProof = NonNullable<
  components['schemas']['CustomerPickupConfirm']['customerPickUpDetails']['proof']
>;

/** Maximum size that the service accepts. */
const BYTES_MAX = 75_000;
const SIDES = [1280, 960, 640, 320];
const QUALITY = 0.7;

/** Returns the signature on a canvas as a proof. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<HandOverProof> {
  return { kind: 'SIGNATURE', mediaType: 'image/png', data: await base64Of(await blobOf(canvas, 'image/png')) };
}

/**
 * Returns a photo as a proof, scaled down until it fits. @throws Error if the file is not a picture or does not fit at
 * all
 */
export async function photoOf(file: Blob): Promise<HandOverProof> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await blobOf(canvas, 'image/jpeg');
    if (blob.size <= BYTES_MAX) return { kind: 'PHOTO', mediaType: 'image/jpeg', data: await base64Of(blob) };
  }
  throw new Error('the picture does not fit');
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), type, QUALITY);
  });
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(',')[1]!);
    reader.onerror = () => reject(reader.error ?? new Error('not read'));
    reader.readAsDataURL(blob);
  });
}
