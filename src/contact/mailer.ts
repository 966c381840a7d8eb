/** Sends one mail through the configured SMTP server, and says what is known of its fate (docs/contact.md). */
import { createTransport } from 'nodemailer';

/** A mail of plain text. */
export interface Mail {
  from: { name: string; address: string };
  to: { name: string; address: string };
  replyTo: string | undefined;
  subject: string;
  text: string;
  /** The same message has the same id, so that a mail program shows a doubled one once. */
  messageId: string;
}

/**
 * SENT: the server has accepted it. LATER: it certainly has not, and may later. REJECTED: it never will, with the code of
 * the server. UNKNOWN: the connection ended while the server had the text.
 */
export type Fate = { is: 'SENT' | 'LATER' | 'UNKNOWN' } | { is: 'REJECTED'; code: number };

const PATIENCE_MS = 20_000;

/** Sends a mail with one connection. It never throws. */
export async function sendMail(smtpUrl: string, mail: Mail): Promise<Fate> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // A text names no file and no other address.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  try {
    // Only before this connection is it certain that no server has the text.
    await transport.verify();
  } catch (error) {
    transport.close();
    return fateOf(error, 'LATER');
  }
  try {
    await transport.sendMail(mail);
    return { is: 'SENT' };
  } catch (error) {
    return fateOf(error, 'UNKNOWN');
  } finally {
    transport.close();
  }
}

/** Status codes of 5xx are final, 4xx pass; without a code the caller knows the fate. */
function fateOf(error: unknown, otherwise: 'LATER' | 'UNKNOWN'): Fate {
  const { responseCode: code } = error as { responseCode?: number };
  if (code === undefined) return { is: otherwise };
  return code >= 500 ? { is: 'REJECTED', code } : { is: 'LATER' };
}
