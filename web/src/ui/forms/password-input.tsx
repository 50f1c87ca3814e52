import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/common';
import { Input } from './input.tsx';

/** A password input with a button that shows the password. */
export function PasswordInput({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        className={cn('pr-12', className)}
      />
      <button
        type="button"
        aria-label={shown ? t('password.hide') : t('password.show')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-1 right-1 grid size-9 place-items-center rounded-[0.5rem] text-ink-faint transition-colors hover:bg-sunken hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-4.5" />
      </button>
    </div>
  );
}
