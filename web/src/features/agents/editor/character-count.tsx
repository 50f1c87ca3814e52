import { type Control, useWatch } from 'react-hook-form';
import { countCharacters } from '#shared/characters';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/common';
import type { AgentFormValues } from './agent-form-values.ts';

interface CharacterCountProps {
  control: Control<AgentFormValues>;
  name: 'name' | 'companyName' | 'personality' | 'companyInfo' | `prompts.${number}.text`;
  max: number;
}

/** The remaining room in a field, once it is small. A component of its own, so that typing redraws nothing else. */
export function CharacterCount({ control, name, max }: CharacterCountProps) {
  const text = useWatch({ control, name }) ?? '';
  const shownFrom = max * 0.9;
  if (text.length < shownFrom) return null;
  const used = countCharacters(text.trim());
  if (used < shownFrom) return null;
  const left = max - used;
  return (
    <p
      role="status"
      className={cn('numbers text-right text-xs', left < 0 ? 'text-urgent-text' : 'text-ink-faint')}
    >
      {left < 0 ? t('charactersTooMany', { count: -left }) : t('charactersLeft', { count: left })}
    </p>
  );
}
