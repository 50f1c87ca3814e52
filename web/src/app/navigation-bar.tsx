import { LogOut, Menu, Settings as SettingsIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useAuth } from '#web/features/accounts/auth';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/app';
import { Avatar } from '#web/ui/avatar';
import { Button } from '#web/ui/button';
import { Logo } from '#web/ui/logo';
import { ThemeButton } from './theme-button.tsx';
import { useOnDemand } from './use-on-demand.ts';

const memberLinks = [
  { to: '/dashboard', label: t('bar.dashboard') },
  { to: '/conversations', label: t('bar.conversations') },
  { to: '/agents', label: t('bar.agents') },
  { to: '/live-call', label: t('bar.liveCall') },
];
const visitorLinks = [
  { to: '/login', label: t('bar.login') },
  { to: '/register', label: t('bar.register') },
];

export function NavigationBar() {
  const { status, user: signedIn, logout } = useAuth();
  // A user who must set up a second factor sees no other page first.
  const user = signedIn?.mustSetUpSecondFactor ? null : signedIn;
  const [menuOpen, setMenuOpen] = useState(false);
  const [settingsOpen, setSettingsOpen] = useState(false);
  // Loaded on demand, because menus and dialogs need the library of floating layers.
  const [ThemeMenu, fetchThemeMenu] = useOnDemand(async () => (await import('./theme-menu.tsx')).ThemeMenu);
  const [MobileMenu, fetchMobileMenu] = useOnDemand(
    async () => (await import('./mobile-menu.tsx')).MobileMenu,
  );
  const [Settings, fetchSettings] = useOnDemand(async () => (await import('./settings.tsx')).Settings);
  const openSettings = () => {
    setMenuOpen(false);
    fetchSettings();
    setSettingsOpen(true);
  };
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page has changed.
  useEffect(() => setMenuOpen(false), [pathname]);

  return (
    <header className="sticky top-0 z-40 border-line border-b bg-canvas/85 backdrop-blur-md">
      <nav
        aria-label={t('bar.name')}
        className="mx-auto flex h-15 w-full max-w-6xl items-center gap-6 px-4 sm:px-6 lg:px-8"
      >
        <Link to="/" className="rounded-md">
          <Logo />
        </Link>
        {user && (
          <div className="hidden items-center gap-1 lg:flex">
            {memberLinks.map((link) => (
              <BarLink key={link.to} {...link} />
            ))}
          </div>
        )}
        <div className="ml-auto flex items-center gap-2">
          {status === 'anonymous' && (
            <div className="flex items-center gap-1">
              {visitorLinks.map((link) => (
                <BarLink key={link.to} {...link} />
              ))}
            </div>
          )}
          {ThemeMenu ? <ThemeMenu /> : <ThemeButton onClick={fetchThemeMenu} />}
          {user && (
            <>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('bar.settings')}
                aria-haspopup="dialog"
                className="max-lg:hidden"
                onClick={openSettings}
              >
                <SettingsIcon aria-hidden="true" />
              </Button>
              <div className="hidden items-center gap-2 lg:flex">
                <span className="ml-1 flex items-center gap-2.5">
                  <Avatar name={user.name} />
                  <span className="max-w-40 truncate font-medium text-sm">{user.name}</span>
                </span>
                <Button variant="ghost" size="sm" onClick={logout} className="px-2.5">
                  <LogOut aria-hidden="true" />
                  {t('bar.logout')}
                </Button>
              </div>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('bar.openMenu')}
                aria-haspopup="dialog"
                aria-expanded={menuOpen}
                className="-mr-2 lg:hidden"
                onClick={() => {
                  fetchMobileMenu();
                  setMenuOpen(true);
                }}
              >
                <Menu aria-hidden="true" />
              </Button>
              {Settings && <Settings open={settingsOpen} onOpenChange={setSettingsOpen} />}
              {MobileMenu && (
                <MobileMenu
                  open={menuOpen}
                  onOpenChange={setMenuOpen}
                  user={user}
                  onSettings={openSettings}
                  onLogout={logout}
                  links={memberLinks}
                />
              )}
            </>
          )}
        </div>
      </nav>
    </header>
  );
}

/** A link that marks itself as active on its page and on all pages below it. */
function BarLink({ to, label }: { to: string; label: string }) {
  return (
    <NavLink
      to={to}
      className={({ isActive }) =>
        cn(
          'flex h-9 items-center whitespace-nowrap rounded-[0.5rem] px-3 font-medium text-sm transition-colors',
          isActive ? 'bg-sunken text-ink' : 'text-ink-muted hover:bg-sunken/70 hover:text-ink',
        )
      }
    >
      {label}
    </NavLink>
  );
}
