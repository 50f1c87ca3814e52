import { SecondFactor } from '../second-factor/second-factor.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Sessions } from './sessions.tsx';
import { TakeAlong } from './take-along.tsx';

/** The security settings of an account. */
export function SecuritySettings() {
  return (
    <div className="flex flex-col gap-7">
      <ChangePassword />
      <SecondFactor />
      <Sessions />
      <TakeAlong />
      <DeleteAccount />
    </div>
  );
}
