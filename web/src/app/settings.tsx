import { QueryClientProvider } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { User } from '#shared/accounts';
import { useAuth } from '#web/features/accounts/auth';
import { Members } from '#web/features/accounts/members/members';
import { SecurityLog } from '#web/features/accounts/security/security-log';
import { SecuritySettings } from '#web/features/accounts/security/security-settings';
import { Engines } from '#web/features/engines/engines';
import { CallSettings } from '#web/features/settings/call-settings';
import { queryClient } from '#web/lib/server/query-client';
import { t } from '#web/texts/app';
import { Dialog } from '#web/ui/layers/dialog';
import { Tabs } from '#web/ui/tabs';

interface SettingsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const forEverybody = [
  { value: 'calls', label: t('settings.calls'), content: <CallSettings /> },
  {
    value: 'security',
    // Shortened on a phone, so that the next tab shows at the edge.
    label: t.rich('settings.security', { wide: (text) => <span className="max-sm:hidden">{text}</span> }),
    content: <SecuritySettings />,
  },
];
const members = { value: 'members', label: t('settings.members'), content: <Members /> };
const forOwners = [...forEverybody, members];
const forOwnersOfInstallation = [
  ...forEverybody,
  { value: 'engines', label: t('settings.engines'), content: <Engines /> },
  members,
  { value: 'log', label: t('settings.log'), content: <SecurityLog /> },
];

function tabsFor({ role, isInstallationOwner }: Pick<User, 'role' | 'isInstallationOwner'>) {
  if (isInstallationOwner) return forOwnersOfInstallation;
  return role === 'owner' ? forOwners : forEverybody;
}

/** The settings, opened from the bar: they lie above the pages and share their cache. */
export function Settings({ open, onOpenChange }: SettingsProps) {
  const { user } = useAuth();
  const [tab, setTab] = useState('calls');
  const view = useRef<HTMLDivElement>(null);
  const show = (next: string) => {
    setTab(next);
    view.current?.scrollTo({ top: 0 });
  };
  return (
    <QueryClientProvider client={queryClient}>
      <Dialog open={open} onOpenChange={onOpenChange} title={t('settings.title')} size="wide">
        <div
          ref={view}
          className="-mx-6 mt-3 -mb-6 overflow-y-auto px-6 pb-6 **:[[role=tablist]]:sticky **:[[role=tablist]]:top-0 **:[[role=tablist]]:z-10 **:[[role=tablist]]:bg-raised"
        >
          <Tabs label={t('settings.title')} value={tab} onChange={show} tabs={tabsFor(user ?? {})} />
        </div>
      </Dialog>
    </QueryClientProvider>
  );
}
