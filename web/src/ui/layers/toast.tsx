import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/common';
import { Button } from '#web/ui/button';

type ToastKind = 'success' | 'error' | 'info';
interface ToastMessage {
  id: number;
  kind: ToastKind;
  text: string;
}

const SHOWN_MS: Record<ToastKind, number> = { success: 5_000, info: 6_000, error: 9_000 };
const MOST_AT_ONCE = 3;

let shown: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly ToastMessage[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function add(kind: ToastKind, text: string): void {
  lastId += 1;
  // A repeated sentence replaces the first.
  const others = shown.filter((each) => each.text !== text);
  show([...others.slice(-(MOST_AT_ONCE - 1)), { id: lastId, kind, text }]);
}

function dismiss(id: number): void {
  show(shown.filter((each) => each.id !== id));
}

/** Shows a sentence in the corner for a few seconds. `error` interrupts a screen reader; others wait. */
export const toast = {
  success: (text: string) => add('success', text),
  info: (text: string) => add('info', text),
  error: (text: string) => add('error', text),
  clear: () => show([]),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear: at the top, since input and buttons of a call are at the bottom. Render it once. */
export function Toaster() {
  const messages = useSyncExternalStore(subscribe, () => shown);
  return (
    <section
      aria-label={t('notifications')}
      className="pointer-events-none fixed inset-x-4 top-18 z-60 flex flex-col items-center gap-2 sm:inset-x-auto sm:right-5 sm:items-end"
    >
      {messages.map((message) => (
        <ToastCard key={message.id} message={message} />
      ))}
    </section>
  );
}

const icons = { success: CircleCheck, error: CircleAlert, info: Info };
const iconColours = { success: 'text-positive-text', error: 'text-urgent-text', info: 'text-accent-text' };

function ToastCard({ message }: { message: ToastMessage }) {
  const [held, setHeld] = useState(false);
  const Icon = icons[message.kind];
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(message.id), SHOWN_MS[message.kind]);
    return () => clearTimeout(timer);
  }, [held, message.id, message.kind]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it or being inside it only keeps it on the screen.
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex w-full max-w-sm animate-appear items-start gap-3 rounded-lg border border-line bg-raised py-3 pr-2 pl-4 shadow-float sm:w-96"
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4.5 shrink-0', iconColours[message.kind])} />
      <p role={message.kind === 'error' ? 'alert' : 'status'} className="flex-1 py-px text-ink text-sm">
        {message.text}
      </p>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t('dismiss')}
        className="-my-1"
        onClick={() => dismiss(message.id)}
      >
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
