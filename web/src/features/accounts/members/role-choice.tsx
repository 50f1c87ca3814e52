import type { ComponentProps } from 'react';
import type { Role } from '#shared/accounts';
import { t } from '#web/texts/accounts';
import { Select } from '#web/ui/forms/select';

/** Names of the roles, the most powerful first. */
export const roleNames: Record<Role, string> = {
  owner: t('roles.owner'),
  supervisor: t('roles.supervisor'),
  member: t('roles.member'),
};
const roles: readonly Role[] = ['owner', 'supervisor', 'member'];

interface RoleChoiceProps extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  value: Role;
  onChange: (role: Role) => void;
}

export function RoleChoice({ value, onChange, ...props }: RoleChoiceProps) {
  return (
    <Select
      value={value}
      onChange={(event) => {
        const role = roles.find((each) => each === event.target.value);
        if (role) onChange(role);
      }}
      {...props}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {roleNames[role]}
        </option>
      ))}
    </Select>
  );
}
