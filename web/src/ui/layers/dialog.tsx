import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/common';
import { Button } from '#web/ui/button';

export const scrimClasses =
  'fixed inset-0 z-50 bg-scrim data-[state=closed]:animate-unfade data-[state=open]:animate-fade';

const widths = { form: 'max-w-lg', wide: 'max-w-2xl', widest: 'max-w-4xl' };

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  /** Centred, or at the right edge over the whole height. */
  side?: 'center' | 'right';
  /** Width when centred: for a form, for lists, or for two things side by side. */
  size?: keyof typeof widths;
  children: ReactNode;
}

/** Content above the page that traps keyboard focus until closed. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, side = 'center', size = 'form', children } = props;
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={scrimClasses} />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cn(
            'fixed z-50 flex flex-col border-line bg-raised shadow-float',
            side === 'center'
              ? 'inset-x-4 top-[12dvh] mx-auto max-h-[76dvh] rounded-xl border p-6 data-[state=closed]:animate-unpop data-[state=open]:animate-pop'
              : 'inset-y-0 right-0 w-[min(22rem,88vw)] border-l p-5 data-[state=closed]:animate-unslide data-[state=open]:animate-slide',
            side === 'center' && widths[size],
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <div>
              <Primitive.Title className="font-semibold text-lg tracking-[-0.01em]">{title}</Primitive.Title>
              {description && (
                <Primitive.Description className="mt-1 text-ink-muted text-sm">
                  {description}
                </Primitive.Description>
              )}
            </div>
            <Primitive.Close asChild>
              <Button variant="ghost" size="icon-sm" aria-label={t('close')} className="-mt-1 -mr-1">
                <X aria-hidden="true" />
              </Button>
            </Primitive.Close>
          </div>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
