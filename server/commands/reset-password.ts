// `npm run reset-password -- you@example.com`: takes an account's password away, ends every session of it and prints a
// link by which its owner sets a new one; `--remove-second-factor` takes that away, too. For whoever has the machine: with the
// embedded database while the server is stopped.
import process from 'node:process';
import { RESET_LINK_MINUTES } from '#server/features/accounts/recovery/reset-links';
import { SecondFactorRepository } from '#server/features/accounts/second-factor/repository';
import { StartError } from '#server/lib/start-error';
import { type AccountTools, onAccount } from './accounts.ts';
import { say } from './say.ts';

const REMOVE_FACTOR = '--remove-second-factor';

await say(() => {
  const removesFactor = process.argv.includes(REMOVE_FACTOR);
  const [, , given] = process.argv.filter((argument) => argument !== REMOVE_FACTOR);
  return onAccount(
    {
      given,
      missing: 'Say whose password it is: npm run reset-password -- you@example.com',
      waits: 'no password can be changed',
    },
    (tools) => reset(tools, removesFactor),
  );
});

async function reset(
  { db, email, accounts, audit, takePassword }: AccountTools,
  removesFactor: boolean,
): Promise<string> {
  const user = await accounts.findByEmail(email);
  if (!user)
    throw new StartError(`There is no account with the email address ${email}: nothing was changed.`);
  const { link, note } = await takePassword(user.id);
  const hadFactor = removesFactor && (await new SecondFactorRepository(db).delete(user.id));
  const subject = `by npm run reset-password${hadFactor ? ', without the second factor' : ''}`;
  await audit.record({ action: 'password-reset', actor: user, subject });
  const factor = hadFactor ? ' Its second factor is gone.' : '';
  return `Open this link to choose a new password for ${email}:\n${link}\nIt works once, for ${RESET_LINK_MINUTES} minutes, and is shown this once. The old password works no longer, and every session of this account has ended.${factor}${note}`;
}
