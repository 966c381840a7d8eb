/** A real SMTP server on loopback that keeps the accepted mails. The test controls its behavior. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * The behavior for the next mail. `later` rejects the text with a 451. `reset` closes the connection after the server
 * received the text. `hang` sends no greeting. `dropped` ends the connection without a greeting. With a 5xx, `closed`
 * rejects the connection, `login` the login, and `sender` the sender. The keys of `REJECTIONS` reject the recipient or
 * the text.
 */
type Mood = 'accept' | 'later' | 'reset' | 'hang' | 'closed' | 'login' | 'sender' | 'dropped' | keyof typeof REJECTIONS;

/** Responses of usual mail servers: the command, the code, and the text with the enhanced code. */
const REJECTIONS = {
  'no such user': ['RCPT', 550, '5.1.1 User unknown'],
  'no such user without enhanced code': ['RCPT', 550, 'User unknown'],
  'bad text': ['DATA', 554, '5.6.0 Message rejected'],
  'sender at the recipient': ['RCPT', 553, '5.7.1 Sender address rejected: not owned by user'],
  'login at the recipient': ['RCPT', 530, 'Authentication required'],
  'sender at the text': ['DATA', 554, '5.2.252 SendAsDenied'],
  'sender at the text without enhanced code': ['DATA', 554, 'Message rejected: Email address is not verified'],
} as const;

export interface MailServer {
  url: string;
  /** Accepted mails with headers, in order. */
  mails: string[];
  mood: Mood;
  /** Number of logins, also of rejected ones. */
  logins: () => number;
  /** Number of connections that got no greeting. */
  hanging: () => number;
  /** Sends the greeting on the connections that `hanging` counts. */
  release: () => void;
  close: () => Promise<void>;
}

export async function openMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const state = { mood: 'accept' as Mood };
  const hanging: (() => void)[] = [];
  let logins = 0;
  const server = new SMTPServer({
    onConnect: (_session, done) => {
      if (state.mood === 'dropped') drop();
      else if (state.mood === 'hang') hanging.push(done);
      else done(state.mood === 'closed' ? rejection(554) : null);
    },
    onAuth: (_auth, _session, done) => {
      logins += 1;
      if (state.mood === 'login') done(rejection(535));
      else done(null, { user: 'backroom' });
    },
    onMailFrom: (_address, _session, done) => done(state.mood === 'sender' ? rejection(530) : null),
    onRcptTo: (_address, _session, done) => done(rejectionOf(state.mood, 'RCPT')),
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // The texts of `REJECTIONS` have their own enhanced codes.
    hideENHANCEDSTATUSCODES: true,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mood } = state;
        if (mood === 'reset') {
          drop();
          return;
        }
        if (mood === 'accept') mails.push(Buffer.concat(chunks).toString());
        done(mood === 'later' ? rejection(451) : rejectionOf(mood, 'DATA'));
      });
    },
  });
  const drop = () => {
    for (const { _socket: socket } of server.connections as unknown as { _socket: { destroy: () => void } }[]) {
      socket.destroy();
    }
  };
  // Ignores the error of a connection that a test resets.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://backroom:secret@127.0.0.1:${port}`,
    mails,
    logins: () => logins,
    hanging: () => hanging.length,
    release: () => {
      for (const done of hanging.splice(0)) done();
    },
    get mood() {
      return state.mood;
    },
    set mood(mood) {
      state.mood = mood;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function rejectionOf(mood: Mood, at: 'RCPT' | 'DATA'): Error | null {
  if (!(mood in REJECTIONS)) return null;
  const [step, code, text] = REJECTIONS[mood as keyof typeof REJECTIONS];
  return step === at ? rejection(code, text) : null;
}

function rejection(responseCode: number, text = 'rejected'): Error {
  return Object.assign(new Error(text), { responseCode });
}
