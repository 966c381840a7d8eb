/**
 * Signature or photo of the person who takes goods (docs/interface.md#hand-over-and-delivery). The picture is encrypted
 * like a PIN. Only `readHandOverProof` and the export of personal data decrypt the picture. Anonymization deletes it.
 */
import type { Ctx } from '../platform/ctx.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { sequence } from '../platform/message/sentence.ts';
import { object, oneOf, type Static, text } from '../platform/schema.ts';
import { sha256 } from '../platform/secrets.ts';
import type { HandOverRow } from '../platform/storage/tables.ts';
import { HAND_OVER_PROOFS, PROOF_KINDS, type Settings } from '../shared/client-settings.ts';
import { say } from './sentences.ts';

export type ProofKind = (typeof PROOF_KINDS)[number];

/** Maximum size of a picture: `BYTES_MAX` in bytes, `BASE64_MAX` in characters of base64. */
const BYTES_MAX = 75_000;
const BASE64_MAX = Math.ceil(BYTES_MAX / 3) * 4;

/** First bytes of a picture of each type. */
const MAGIC = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
} as const;
const TYPES = ['image/png', 'image/jpeg'] as const satisfies readonly (keyof typeof MAGIC)[];

export const Proof = object(
  {
    kind: oneOf(PROOF_KINDS, { description: 'Kind of the proof' }),
    mediaType: oneOf(TYPES, { description: 'Format of the picture' }),
    data: text(4, BASE64_MAX, {
      description: `The picture in base64 with padding, at most ${BYTES_MAX} bytes`,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      'x-hint': say(
        'send standard base64 (with + and /, not - and _), without line breaks and without the prefix data:',
      ),
      'x-secret': true,
    }),
  },
  {
    description:
      'Signature or photo of the person. Allowed only if the client’s setting `handOverProof` asks for a proof',
  },
);
export type Proof = Static<typeof Proof>;

/**
 * Adds errors for a missing proof, and for a proof or a kind of proof that the client's settings do not ask for. Also
 * adds errors for data that is too large or is not a picture.
 */
export function checkProof(
  proof: { readonly [K in keyof Proof]?: Proof[K] | undefined } | undefined,
  handsOver: boolean,
  at: string,
  { handOverProof }: Pick<Settings, 'handOverProof'>,
  errors: FieldErrors,
): void {
  const kinds: readonly ProofKind[] = HAND_OVER_PROOFS[handOverProof];
  if (proof === undefined) {
    if (handsOver && kinds.length > 0 && !errors.isBad(at)) {
      errors.add(
        at,
        'required',
        say('`proof` is missing; the client requires a proof of each hand-over, so send `proof` with kind {kinds}', {
          kinds: sequence(kinds, say(' or ')),
        }),
      );
    }
    return;
  }
  if (kinds.length === 0) {
    errors.add(at, 'not-wanted', say('the client requires no proof of hand-overs; leave `proof` out'));
    return;
  }
  const { kind, mediaType, data } = proof;
  if (kind !== undefined && !kinds.includes(kind)) {
    errors.add(
      `${at}/kind`,
      'enum',
      say('the client requires a proof of kind {kinds}; send this kind', { kinds: sequence(kinds, say(' or ')) }),
      kinds,
    );
  }
  if (data === undefined || mediaType === undefined || errors.isBad(`${at}/data`)) return;
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > BYTES_MAX) {
    errors.add(
      `${at}/data`,
      'maxLength',
      say('the picture has {count} bytes; send at most {bytesMax}', { count: bytes.length, bytesMax: BYTES_MAX }),
      BYTES_MAX,
    );
    return;
  }
  const isPicture = MAGIC[mediaType].every((byte, index) => bytes[index] === byte);
  if (bytes.toString('base64') !== data || !isPicture) {
    errors.add(
      `${at}/data`,
      'format',
      say('`data` is not a {mediaType} picture in base64; send the bytes of the file in base64', { mediaType }),
    );
  }
}

/** Returns the columns of a proof, with its picture encrypted. Without a proof, every column is null. */
export function sealProof(
  ctx: Pick<Ctx, 'sealer' | 'randomBytes'>,
  proof: Proof | undefined,
): Pick<HandOverRow, 'proof_kind' | 'proof_type' | 'proof_cipher'> {
  if (proof === undefined) return { proof_kind: null, proof_type: null, proof_cipher: null };
  const { kind, mediaType, data } = proof;
  return { proof_kind: kind, proof_type: mediaType, proof_cipher: ctx.sealer.seal(data, ctx.randomBytes(12)) };
}

/** Returns the hash of a proof, by which a retry of a hand-over is recognized. */
export function hashOfProof({ kind, mediaType, data }: Proof): string {
  return sha256(`${kind} ${mediaType} ${data}`);
}
