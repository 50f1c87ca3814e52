import { Moon, Sun } from 'lucide-react';
import type { ComponentProps } from 'react';
import { t } from '#web/texts/app';
import { Button } from '#web/ui/button';

/** Opens the colour themes, and shows the current one. */
export function ThemeButton(props: ComponentProps<'button'>) {
  return (
    <Button variant="ghost" size="icon" aria-label={t('theme.title')} aria-haspopup="menu" {...props}>
      <Sun aria-hidden="true" className="dark:hidden" />
      <Moon aria-hidden="true" className="hidden dark:block" />
    </Button>
  );
}
