import type { Config } from '#server/settings/config';
import type { MailEngine } from './contract.ts';
import { createSmtp } from './smtp.ts';

/** The mail server that the settings name; null means no mail is sent. */
export const createMail = ({ mail }: Pick<Config, 'mail'>): MailEngine | null =>
  mail ? createSmtp(mail) : null;
