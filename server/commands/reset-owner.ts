// `npm run reset-owner -- you@example.com`: gives the installation an owner, such as after its last account was deleted, which
// closes registration, or where nobody is left who could be asked. Makes the account where there is none, and prints a link by
// which its owner sets a password. For whoever has the machine: with the embedded database while the server is stopped.
import process from 'node:process';
import { v7 as uuidv7 } from 'uuid';
import { RESET_LINK_MINUTES } from '#server/features/accounts/recovery/reset-links';
import { StartError } from '#server/lib/start-error';
import { emailSchema } from '#shared/accounts';
import { type AccountTools, onAccount } from './accounts.ts';
import { say } from './say.ts';

await say(() =>
  onAccount(
    {
      given: process.argv[2],
      missing: 'Say who is to own this installation: npm run reset-owner -- you@example.com',
      waits: 'no owner can be made',
    },
    makeOwner,
  ),
);

async function makeOwner({ email, accounts, audit, takePassword }: AccountTools): Promise<string> {
  if (!emailSchema.safeParse(email).success)
    throw new StartError(`${email} is no email address: nothing was changed.`);
  const name = email.split('@')[0] ?? email;
  const { user, isNew } = await accounts.makeOwner({ id: uuidv7(), name, email });
  const { link, note } = await takePassword(user.id);
  await audit.record({ action: 'role-changed', actor: user, subject: 'owner, by npm run reset-owner' });
  const before = isNew
    ? ''
    : ' The account was there already: its old password works no longer, its sessions have ended, and its second factor is asked for as before.';
  return `${email} owns this installation. Open this link to choose a password:\n${link}\nIt works once, for ${RESET_LINK_MINUTES} minutes, and is shown this once.${before}${note}`;
}
