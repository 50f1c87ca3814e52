import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, type ThemeChoice, useTheme } from '#web/lib/theme';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuChoices } from '#web/ui/dropdown-menu';

const choices: readonly { value: ThemeChoice; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
];

export function ThemeMenu() {
  const theme = useTheme();
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Colour theme">
          <Sun aria-hidden="true" className="dark:hidden" />
          <Moon aria-hidden="true" className="hidden dark:block" />
        </Button>
      }
    >
      <DropdownMenuChoices label="Colour theme" value={theme} onChange={setTheme} choices={choices} />
    </DropdownMenu>
  );
}
