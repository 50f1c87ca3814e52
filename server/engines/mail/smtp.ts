import { createTransport } from 'nodemailer';
import { timeLimit, untilAborted, within } from '#server/lib/wait';
import { type MailEngine, MailError } from './contract.ts';

/** Somebody waits in front of a page for the check; a server that says nothing for so long is away. */
const PATIENCE_MS = 8_000;
/** A letter takes several steps: name, connection, greeting, TLS, sign-in, addresses, text. A server that is slow in each is away. */
const STEPS = 5;

/**
 * Sends mails through a mail server, a connection each: they are few.
 * @param options.url `smtp:` or `smtps:`, with user name and password where the server asks for them
 * @param options.patienceMs how long the check, and each step of sending, may take; a whole letter five times that
 */
export function createSmtp(options: { url: string; from: string; patienceMs?: number }): MailEngine {
  const { from, patienceMs = PATIENCE_MS } = options;
  const transportTo = (url: string) => {
    const { username, hostname } = new URL(url);
    return createTransport({
      url,
      // A password never goes through a network in the clear; a relay that asks for none may be without TLS.
      requireTLS: username !== '' && !isThisMachine(hostname),
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      dnsTimeout: patienceMs,
      // A mail holds no files: nothing is read from the disk or fetched for one.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport = transportTo(options.url);

  return {
    async check() {
      const answered = await within(patienceMs, transport.verify()).catch(refused);
      if (answered === undefined) throw new MailError('ETIMEDOUT');
    },
    async send(mail) {
      const limit = timeLimit(STEPS * patienceMs);
      await untilAborted(transport.sendMail({ ...mail, from, signal: limit }), limit).catch(
        (error: unknown) => {
          if (limit.aborted) throw new MailError('ETIMEDOUT');
          refused(error);
        },
      );
    },
    takeUrl(url) {
      transport = transportTo(url);
    },
  };
}

const isThisMachine = (host: string) => host === 'localhost' || host === '[::1]' || /^127\./.test(host);

function refused(error: unknown): never {
  const { code = 'EMAIL', responseCode } = Object(error) as { code?: string; responseCode?: number };
  throw new MailError([code, responseCode].filter(Boolean).join(' '));
}
