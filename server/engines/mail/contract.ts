/** A mail to one person, as text and as equivalent HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Sends mail. The first two methods reject with a MailError when the mail server is away, hangs or refuses.
 */
export interface MailEngine {
  /** Resolves if the mail server would accept mail from us. */
  check(): Promise<void>;
  /** Resolves once the mail server has accepted the mail. */
  send(mail: Mail): Promise<void>;
  /** Uses this server, user and password from now on. @param url as in the settings */
  takeUrl(url: string): void;
}

/** Why a mail was not sent, without addresses: a server's own answer often contains one. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Code from the connection or mail server, such as `ETIMEDOUT` or `EAUTH 535`. */
  readonly code: string;

  constructor(code: string) {
    super('The mail server is away, does not answer or refuses.');
    this.code = code;
  }
}
