import { AlertDialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '#web/texts/common';
import { Button } from '#web/ui/button';
import { scrimClasses } from './dialog.tsx';

interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question, such as "Are you sure you want to delete this agent?". */
  question: string;
  detail?: ReactNode;
  /** Label of the confirming button, such as "Delete agent". */
  confirm: string;
  tone?: 'primary' | 'danger';
  onConfirm: () => void;
  /** Information for the decision, below the detail. */
  children?: ReactNode;
}

/** Asks before an irreversible action; Escape and Cancel change nothing. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onOpenChange, question, detail, confirm, tone = 'danger', onConfirm, children } = props;
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={scrimClasses} />
        <Primitive.Content className="fixed inset-x-4 top-[20dvh] z-50 mx-auto max-w-md rounded-xl border border-line bg-raised p-6 shadow-float data-[state=closed]:animate-unpop data-[state=open]:animate-pop">
          <Primitive.Title className="wrap-anywhere font-semibold text-lg tracking-[-0.01em]">
            {question}
          </Primitive.Title>
          <Primitive.Description className="mt-2 text-ink-muted text-sm">{detail}</Primitive.Description>
          {children && <div className="mt-4">{children}</div>}
          <div className="mt-6 flex flex-col-reverse gap-2.5 sm:flex-row sm:justify-end">
            <Primitive.Cancel asChild>
              <Button variant="secondary">{t('cancel')}</Button>
            </Primitive.Cancel>
            <Primitive.Action asChild>
              <Button variant={tone} onClick={onConfirm}>
                {confirm}
              </Button>
            </Primitive.Action>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
