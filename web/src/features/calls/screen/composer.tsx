import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect } from 'react';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';
import { cn } from '#web/lib/class-names';
import { useDraft } from '#web/lib/use-draft';
import { t } from '#web/texts/calls';
import { t as common } from '#web/texts/common';
import { Button } from '#web/ui/button';

interface ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Identifies the call of the draft. */
  draftKey: string;
  /** Whether this text may be sent now. */
  canSend: (text: string) => boolean;
  /** Sends; false if it was not accepted. */
  onSend: (text: string) => boolean;
  /** The call is over: writing is no longer possible. */
  ended: boolean;
  /** The controls for speaking. */
  children?: ReactNode;
}

const COUNT_FROM = MAX_MESSAGE_CHARACTERS - 500;
const TALLEST_PX = 168;
/** Moves the focus to the field, except on a phone, where the keyboard would cover the agent. */
export function focusWithoutKeyboard(field: HTMLTextAreaElement | null): void {
  if (window.matchMedia('(pointer: fine)').matches) field?.focus({ preventScroll: true });
}

/** The field for messages: Enter sends, Shift and Enter starts a new line. */
export function Composer({ field, draftKey, canSend, onSend, ended, children }: ComposerProps) {
  const [text, setText] = useDraft(draftKey);
  const left = MAX_MESSAGE_CHARACTERS - text.length;
  const sendable = canSend(text) && left >= 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field grows with its text.
  useLayoutEffect(() => {
    if (!field.current) return;
    field.current.style.height = 'auto';
    field.current.style.height = `${Math.min(TALLEST_PX, field.current.scrollHeight)}px`;
  }, [text]);

  useEffect(() => {
    focusWithoutKeyboard(field.current);
  }, [field]);

  const send = () => {
    if (sendable && onSend(text)) setText('');
    field.current?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During composition, as in Japanese, Enter belongs to the composed word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (sendable) send();
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="rounded-xl border border-edge bg-surface p-1.5 transition-[border-color,box-shadow] focus-within:border-focus focus-within:shadow-[0_0_0_3px_color-mix(in_oklch,var(--focus)_28%,transparent)]">
        <textarea
          ref={field}
          rows={1}
          value={text}
          disabled={ended}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          aria-label={t('composer.label')}
          aria-invalid={left < 0 || undefined}
          aria-describedby={text.length > COUNT_FROM ? `${draftKey}-count` : undefined}
          placeholder={t('composer.placeholder')}
          enterKeyHint="send"
          className="block max-h-42 min-h-10 w-full resize-none bg-transparent px-2.5 py-2 text-[1rem] text-ink leading-6 outline-none placeholder:text-ink-faint disabled:opacity-60 sm:text-base"
        />
        <div className="flex items-center justify-end gap-1">
          {children}
          <Button type="submit" size="icon" aria-label={t('composer.send')} disabled={!sendable}>
            <ArrowUp aria-hidden="true" />
          </Button>
        </div>
      </div>
      {text.length > COUNT_FROM && (
        <p
          id={`${draftKey}-count`}
          role="status"
          className={cn(
            'numbers mt-1.5 px-2 text-right text-xs',
            left < 0 ? 'text-urgent-text' : 'text-ink-faint',
          )}
        >
          {left < 0
            ? common('charactersTooMany', { count: -left })
            : common('charactersLeft', { count: left })}
        </p>
      )}
    </form>
  );
}
