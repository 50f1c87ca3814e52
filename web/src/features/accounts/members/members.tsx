import { Invitations } from './invitations.tsx';
import { MemberList } from './member-list.tsx';
import { Registration } from './registration.tsx';
import { SecondFactorSetting } from './second-factor-setting.tsx';

/** Who has an account here, and who may make one, for owners. */
export function Members() {
  return (
    <div className="flex flex-col gap-7">
      <MemberList />
      <Invitations />
      <Registration />
      <SecondFactorSetting />
    </div>
  );
}
