import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, type ThemeChoice, useTheme } from '#web/lib/theme';
import { DropdownMenu, DropdownMenuChoices } from '#web/ui/layers/dropdown-menu';
import { ThemeButton } from './theme-button.tsx';

const choices: readonly { value: ThemeChoice; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
];

/** Light, dark, or as the device has it. It is fetched by the press that wants it, so it comes open. */
export function ThemeMenu() {
  const theme = useTheme();
  return (
    <DropdownMenu defaultOpen trigger={<ThemeButton />}>
      <DropdownMenuChoices label="Colour theme" value={theme} onChange={setTheme} choices={choices} />
    </DropdownMenu>
  );
}
