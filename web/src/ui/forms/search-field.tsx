import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '#web/texts/common';
import { Button } from '../button.tsx';
import { Input } from './input.tsx';

const TYPING_PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  /** Called after a pause in typing. */
  onChange: (text: string) => void;
}

/** Words to look for. */
export function SearchField({ label, placeholder, maxLength, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const asked = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;

  useEffect(() => {
    // It changed by another way than this field: Back, or "Clear filters".
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    if (text === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = text;
      latest.current(text);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const clear = () => {
    asked.current = '';
    setText('');
    onChange('');
  };
  return (
    <div className="relative min-w-0 lg:min-w-72 lg:flex-1">
      <Search
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3.5 size-4.5 text-ink-faint"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="search"
        dir="auto"
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && text !== '' && clear()}
        className="px-10.5 [&::-webkit-search-cancel-button]:hidden"
      />
      {text !== '' && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('clearSearch')}
          onClick={clear}
          className="-translate-y-1/2 absolute top-1/2 right-1.5 active:not-disabled:-translate-y-1/2"
        >
          <X aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
