/** A real SMTP server on loopback that keeps the accepted mails. The test controls its behavior. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * The behavior for the next mail. `reset` closes the connection after the text was received. `hang` sends no greeting.
 * `closed`, `login` and `sender` reject the greeting, the login and the sender with a 5xx. `once`
 * accepts no second connection.
 */
type Mood = 'accept' | 'later' | 'reject' | 'reset' | 'hang' | 'closed' | 'login' | 'sender' | 'once';

export interface MailServer {
  url: string;
  /** Accepted mails with headers, in order. */
  mails: string[];
  mood: Mood;
  /** Number of logins, also of rejected ones. */
  logins: () => number;
  /** Number of connections that got no greeting. */
  hanging: () => number;
  /** Sends the greeting on these connections. */
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
      if (state.mood === 'once') server.server.close();
      if (state.mood === 'hang') hanging.push(done);
      else done(state.mood === 'closed' ? rejection(554) : null);
    },
    onAuth: (_auth, _session, done) => {
      logins += 1;
      if (state.mood === 'login') done(rejection(535));
      else done(null, { user: 'backroom' });
    },
    onMailFrom: (_address, _session, done) => done(state.mood === 'sender' ? rejection(530) : null),
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mood } = state;
        if (mood === 'reset') {
          for (const { _socket: socket } of server.connections as unknown as { _socket: { destroy: () => void } }[])
            socket.destroy();
          return;
        }
        if (mood === 'accept') mails.push(Buffer.concat(chunks).toString());
        done(mood === 'accept' ? null : rejection(mood === 'later' ? 451 : 550));
      });
    },
  });
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

function rejection(responseCode: number): Error {
  return Object.assign(new Error('rejected'), { responseCode });
}
