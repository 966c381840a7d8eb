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
 * SENT: the server accepted the mail. LATER: the server did not accept the mail; a retry may succeed. `step` is the
 * SMTP command that failed. REJECTED: the server rejected the mail permanently, with this code. UNKNOWN: sending failed
 * without a response of the server, so the mail may have been sent.
 */
export type Fate =
  | { is: 'SENT' | 'UNKNOWN' }
  | { is: 'LATER'; step: string | undefined; code: number | undefined }
  | { is: 'REJECTED'; code: number };

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
  // Until nodemailer has connected and logged in, no server has the text, so a retry cannot send the mail twice. It
  // asks for the stream of the mail afterwards.
  const progress = { hasBegun: false };
  transport.use('stream', ({ message }, done) => {
    const createReadStream = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      progress.hasBegun = true;
      return createReadStream(options);
    };
    done();
  });
  try {
    await transport.sendMail(mail);
    return { is: 'SENT' };
  } catch (error) {
    return fateOf(error, progress.hasBegun ? 'PERHAPS_SENT' : 'NOT_SENT');
  } finally {
    transport.close();
  }
}

/**
 * Enhanced status codes (RFC 3463) of a permanent rejection of this mail. The codes 5.1 and 5.2 in this list are about
 * its recipient, the codes 5.6 about its text.
 */
const OF_THE_MAIL = /^5\.(1\.([1-3]|6|10)|2\.[1-3]|6\.\d+)$/;

/**
 * Returns the outcome of an SMTP error. A 5xx that is not about this mail is about the service, for example its login
 * or its sender. Some servers send such an error only after the recipient or the text. All mails then wait until an
 * operator corrects the settings.
 */
function fateOf(error: unknown, without: 'NOT_SENT' | 'PERHAPS_SENT'): Fate {
  const { responseCode: code, command: step } = error as SmtpError;
  if (code !== undefined && isOfTheMail(error as SmtpError)) return { is: 'REJECTED', code };
  return code === undefined && without === 'PERHAPS_SENT' ? { is: 'UNKNOWN' } : { is: 'LATER', step, code };
}

/**
 * Whether the server rejected this mail permanently. Without an enhanced code, only a rejection of the recipient
 * counts, except 530 (login required).
 */
function isOfTheMail({ responseCode: code = 0, command: step, response = '' }: SmtpError): boolean {
  if (code < 500 || (step !== 'RCPT TO' && step !== 'DATA')) return false;
  const enhanced = /^\d{3}[ -](5\.\d+\.\d+)/.exec(response)?.[1];
  return enhanced === undefined ? step === 'RCPT TO' && code !== 530 : OF_THE_MAIL.test(enhanced);
}

/** An error of nodemailer. */
interface SmtpError {
  responseCode?: number;
  /** The whole response, such as `553 5.7.1 Sender address rejected`. */
  response?: string;
  command?: string;
}
