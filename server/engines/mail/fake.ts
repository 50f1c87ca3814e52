import type { Mail, MailEngine } from './contract.ts';

/** Records the mails it is given. */
export function createFakeMail(): MailEngine & { sent: Mail[] } {
  const sent: Mail[] = [];
  return {
    sent,
    async check() {},
    async send(mail) {
      sent.push(mail);
    },
    takeUrl() {},
  };
}
