import type { Mail } from '#server/engines/mail/contract';

/**
 * The letter with the link to a new password. It contains no typed text: a name or part of the request would let a
 * stranger write into the letter.
 * @param link as written by `URL.href`, so that it cannot end its HTML attribute
 */
export function resetMail(to: string, link: string, minutes: number): Mail {
  const { host } = new URL(link);
  const said = {
    why: `Somebody, hopefully you, asked for a new password for your Sigma account at ${host}.`,
    how: `This link works once, for ${minutes} minutes. It signs you out everywhere.`,
    not: 'If it was not you, leave this letter alone: your password stays as it is.',
  };
  return {
    to,
    subject: 'Choose a new password',
    text: `${said.why}\n\nChoose it here:\n${link}\n\n${said.how}\n\n${said.not}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Choose a new password</title></head>
<body style="font-family: system-ui, sans-serif; font-size: 16px; line-height: 1.5; max-width: 34rem">
<p>${said.why}</p>
<p><a href="${link}">Choose a new password</a></p>
<p>${said.how}</p>
<p>${said.not}</p>
</body>
</html>
`,
  };
}
