/** A letter to one person, as text and as HTML that says the same. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. The first two reject with a MailError when the mail server is away, hangs or refuses. */
export interface MailEngine {
  /** Resolves once the mail server would take mails from us. */
  check(): Promise<void>;
  /** Resolves once the mail server has taken it. */
  send(mail: Mail): Promise<void>;
  /** Sends through this server, with this user and password, from now on. @param url as the first one */
  takeUrl(url: string): void;
}

/** Why no mail was sent, in words without addresses: a server's own answer often holds one. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** What the connection or the mail server said, such as `ETIMEDOUT` or `EAUTH 535`. */
  readonly code: string;

  constructor(code: string) {
    super('The mail server is away, does not answer or refuses.');
    this.code = code;
  }
}
