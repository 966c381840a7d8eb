/** Reads a file that is sent as `multipart/form-data`. */

import type { FastifyRequest } from 'fastify';
import type { Sentence } from '../message/sentence.ts';
import { quote } from '../message/words.ts';
import { say } from '../sentences.ts';
import { badValue, Refusal } from './errors.ts';

/** A CSV file of a `multipart/form-data` body. */
export interface UploadedFile {
  fileName: string;
  content: Buffer;
}

function labelOf(request: FastifyRequest): Sentence {
  const label = request.headers['content-type'];
  return label === undefined ? say('no Content-Type') : say('Content-Type {type}', { type: quote(label) });
}

/**
 * Reads the only file of the form. @throws Refusal 415 for another media type, 400 for other parts or a broken form.
 */
export async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
  if (!request.isMultipart()) {
    throw new Refusal(
      415,
      'VALIDATION',
      'UNSUPPORTED_MEDIA_TYPE',
      say(
        'Send the CSV file as multipart/form-data in the part "filename", as curl does with -F filename=@items.csv; the request has {part}.',
        { part: labelOf(request) },
      ),
    );
  }
  try {
    let file: UploadedFile | undefined;
    for await (const part of request.parts()) {
      const isFile = part.type === 'file' && part.fieldname === 'filename';
      if (!isFile || file !== undefined) {
        throw badValue(
          `/${part.fieldname.slice(0, 60)}`,
          'parts',
          say('the form has further parts; send one CSV file in the part "filename" and no other part'),
        );
      }
      file = { fileName: part.filename, content: await part.toBuffer() };
    }
    if (file === undefined)
      throw badValue('', 'required', say('the form has no file; send one CSV file in the part "filename"'));
    return file;
  } catch (error) {
    // An error of the form's parser about a truncated or malformed body has neither a code nor a status.
    const isKnown = error instanceof Refusal || (error as { code?: unknown }).code !== undefined;
    if (isKnown) throw error;
    throw badValue(
      '',
      'multipart',
      say('the body is not a complete multipart/form-data message; send it with all its boundaries'),
    );
  }
}
