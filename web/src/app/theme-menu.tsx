import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, type ThemeChoice, useTheme } from '#web/lib/theme';
import { t } from '#web/texts/app';
import { DropdownMenu, DropdownMenuChoices } from '#web/ui/layers/dropdown-menu';
import { ThemeButton } from './theme-button.tsx';

const choices: readonly { value: ThemeChoice; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: t('theme.system'), icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: t('theme.light'), icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: t('theme.dark'), icon: <Moon aria-hidden="true" /> },
];

/** Light, dark, or the device's theme. The click that opens it also loads it, so it starts open. */
export function ThemeMenu() {
  const theme = useTheme();
  return (
    <DropdownMenu defaultOpen trigger={<ThemeButton />}>
      <DropdownMenuChoices label={t('theme.title')} value={theme} onChange={setTheme} choices={choices} />
    </DropdownMenu>
  );
}
