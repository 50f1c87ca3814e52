import { useUser } from '../auth.ts';
import { Invitations } from './invitations.tsx';
import { MemberList } from './member-list.tsx';
import { Registration } from './registration.tsx';
import { SecondFactorSetting } from './second-factor-setting.tsx';

/** The members of the workspace, for its owners; for owners of the installation also registration. */
export function Members() {
  const { isInstallationOwner } = useUser();
  return (
    <div className="flex flex-col gap-7">
      <MemberList />
      <Invitations />
      {isInstallationOwner && <Registration />}
      {isInstallationOwner && <SecondFactorSetting />}
    </div>
  );
}
