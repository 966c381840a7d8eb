/** The check of uploads of a file that the user chose earlier. */
import { o } from '../texts/index.ts';

/**
 * Call this before an upload. If the file was saved again since the user chose it, the browser ends the upload with the
 * error of a lost network. @throws Error if the file cannot be read
 */
export async function mustBeReadable(file: Blob): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new Error(o().common.fileChanged);
  }
}
