import { createTransport } from 'nodemailer';
import { timeLimit, untilAborted, within } from '#server/lib/wait';
import { type MailEngine, MailError } from './contract.ts';

/** A server silent for this long counts as away: a person waits for the check. */
const PATIENCE_MS = 8_000;
/**
 * Steps of sending: DNS, connection, greeting, TLS, sign-in, addresses, text. A server that is slow in each
 * counts as away.
 */
const STEPS = 5;

/**
 * Sends mail through an SMTP server, one connection per mail, since they are few.
 * @param options.url `smtp:` or `smtps:`, with user name and password if the server requires them
 * @param options.patienceMs limit for the check and for each step of sending, in milliseconds; five times
 * that for a whole mail
 */
export function createSmtp(options: { url: string; from: string; patienceMs?: number }): MailEngine {
  const { from, patienceMs = PATIENCE_MS } = options;
  const transportTo = (url: string) => {
    const { username, hostname } = new URL(url);
    return createTransport({
      url,
      // Never send a password unencrypted; a relay without a password may do without TLS.
      requireTLS: username !== '' && !isThisMachine(hostname),
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      dnsTimeout: patienceMs,
      // Mails have no attachments: never read from disk or fetch for one.
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
