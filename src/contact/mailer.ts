/** Sends one mail through the configured SMTP server and returns its outcome (docs/contact.md). */
import { createTransport } from 'nodemailer';

/** A mail of plain text. */
export interface Mail {
  from: { name: string; address: string };
  to: { name: string; address: string };
  replyTo: string | undefined;
  subject: string;
  text: string;
  /** Each attempt for a message sends the same id, so that a mail program shows two copies as one mail. */
  messageId: string;
}

/**
 * SENT: the server accepted the mail. LATER: the server did not accept the mail; a retry may succeed. REJECTED: the
 * server rejected it permanently, with this code. UNKNOWN: sending failed without a response of the server, so the
 * mail may have been sent.
 */
export type Fate = { is: 'SENT' | 'LATER' | 'UNKNOWN' } | { is: 'REJECTED'; code: number };

const PATIENCE_MS = 20_000;

/** Sends a mail over a new connection. The function never throws. */
export async function sendMail(smtpUrl: string, mail: Mail): Promise<Fate> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // Forbids nodemailer to load files or URLs that a text names.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  try {
    // If this step fails, no server has the text, so a retry cannot send the mail twice.
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

/**
 * Returns the outcome of an SMTP error. Errors with a 5xx code are permanent, errors with a 4xx code are temporary.
 * Without a code, the outcome is `otherwise`.
 */
function fateOf(error: unknown, otherwise: 'LATER' | 'UNKNOWN'): Fate {
  const { responseCode: code } = error as { responseCode?: number };
  if (code === undefined) return { is: otherwise };
  return code >= 500 ? { is: 'REJECTED', code } : { is: 'LATER' };
}
