import { LogOut, Settings } from 'lucide-react';
import { NavLink } from 'react-router';
import type { User } from '#shared/accounts';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/app';
import { Avatar } from '#web/ui/avatar';
import { Button } from '#web/ui/button';
import { Dialog } from '#web/ui/layers/dialog';

interface MobileMenuProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  user: User;
  onSettings: () => void;
  onLogout: () => void;
  links: readonly { to: string; label: string }[];
}

/** The navigation on a narrow screen. */
export function MobileMenu({ open, onOpenChange, user, onSettings, onLogout, links }: MobileMenuProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('bar.menu')} side="right">
      <div className="mt-5 flex flex-col gap-1">
        {links.map((link) => (
          <NavLink
            key={link.to}
            to={link.to}
            className={({ isActive }) =>
              cn(
                'flex h-12 items-center rounded-md px-3.5 font-medium text-lg',
                isActive ? 'bg-accent-soft text-accent-text' : 'text-ink hover:bg-sunken',
              )
            }
          >
            {link.label}
          </NavLink>
        ))}
      </div>
      <div className="mt-auto border-line border-t pt-4">
        <div className="flex items-center gap-3 px-1">
          <Avatar name={user.name} className="size-10" />
          <div className="min-w-0">
            <p className="truncate font-medium">{user.name}</p>
            <p className="truncate text-ink-faint text-sm">{user.email}</p>
          </div>
        </div>
        <Button variant="ghost" onClick={onSettings} className="mt-4 w-full">
          <Settings aria-hidden="true" />
          {t('bar.settings')}
        </Button>
        <Button variant="secondary" onClick={onLogout} className="mt-2 w-full">
          <LogOut aria-hidden="true" />
          {t('bar.logout')}
        </Button>
      </div>
    </Dialog>
  );
}
