import { Moon, Sun } from 'lucide-react';
import type { ComponentProps } from 'react';
import { t } from '#web/texts/app';
import { Button } from '#web/ui/button';

/** The way to the colour theme, which shows what holds now. */
export function ThemeButton(props: ComponentProps<'button'>) {
  return (
    <Button variant="ghost" size="icon" aria-label={t('theme.title')} aria-haspopup="menu" {...props}>
      <Sun aria-hidden="true" className="dark:hidden" />
      <Moon aria-hidden="true" className="hidden dark:block" />
    </Button>
  );
}
