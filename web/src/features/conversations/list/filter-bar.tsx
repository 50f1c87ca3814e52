import { CalendarDays, Check, ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MAX_SEARCH_CHARACTERS, sentiments } from '#shared/conversations';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { outcomeIcons, outcomeNames } from '#web/ui/conversation/outcome-badge';
import { sentimentFills, sentimentNames } from '#web/ui/conversation/sentiment-badge';
import { Input } from '#web/ui/forms/input';
import { SearchField } from '#web/ui/forms/search-field';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/layers/dropdown-menu';
import {
  type ConversationFilters,
  noFilters,
  outcomeFilters,
  periodName,
  presetNames,
  presets,
} from './filters.ts';

interface FilterBarProps {
  filters: ConversationFilters;
  onChange: (filters: ConversationFilters) => void;
}

/** Filters of the list: words, sentiments, a period, and more from outside. */
export function FilterBar({ filters, onChange, children }: FilterBarProps & { children?: ReactNode }) {
  return (
    <search className="flex flex-col gap-3 lg:flex-row lg:flex-wrap lg:items-center">
      <SearchField
        label={t('filters.search')}
        placeholder={t('filters.searchPlaceholder')}
        maxLength={MAX_SEARCH_CHARACTERS}
        value={filters.search}
        onChange={(search) => onChange({ ...filters, search })}
      />
      <PeriodChoice filters={filters} onChange={onChange} />
      {children}
      <div className="flex min-w-0 flex-col gap-x-5 gap-y-3 lg:basis-full lg:flex-row lg:flex-wrap lg:items-center">
        <Chips
          label={t('filters.sentiment')}
          all={sentiments}
          chosen={filters.sentiments}
          onChange={(chosen) => onChange({ ...filters, sentiments: chosen })}
          names={sentimentNames}
          mark={(sentiment) => <span className={cn('size-2 rounded-full', sentimentFills[sentiment])} />}
        />
        <Chips
          label={t('filters.outcome')}
          all={outcomeFilters}
          chosen={filters.outcomes}
          onChange={(chosen) => onChange({ ...filters, outcomes: chosen })}
          names={outcomeNames}
          mark={(outcome) => {
            const Icon = outcomeIcons[outcome];
            return <Icon className="-ml-0.5 size-3.5" />;
          }}
        />
      </div>
    </search>
  );
}

interface ChipsProps<T extends string> {
  label: string;
  all: readonly T[];
  chosen: readonly T[];
  onChange: (chosen: readonly T[]) => void;
  names: Record<T, string>;
  /** A mark beside a name that is not chosen. */
  mark: (each: T) => ReactNode;
}

/** A choice of any number of a few; on a phone they scroll sideways. */
function Chips<T extends string>({ label, all, chosen, onChange, names, mark }: ChipsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border and a legend of its own.
    <div
      role="group"
      aria-label={label}
      className="-mx-4 flex gap-1.5 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:gap-2 sm:px-0"
    >
      {all.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={chosen.includes(name)}
          onClick={() => onChange(all.filter((each) => (each === name) !== chosen.includes(each)))}
          className={cn(
            'inline-flex h-10 shrink-0 items-center gap-1.5 rounded-full border px-3 font-medium text-sm transition-colors',
            chosen.includes(name)
              ? 'border-accent-line bg-accent-soft text-accent-text'
              : 'border-line bg-surface text-ink-muted hover:border-edge/60 hover:text-ink',
          )}
        >
          {chosen.includes(name) ? (
            <Check aria-hidden="true" className="-mx-0.75 size-3.5" />
          ) : (
            <span aria-hidden="true" className="inline-flex">
              {mark(name)}
            </span>
          )}
          {names[name]}
        </button>
      ))}
    </div>
  );
}

function PeriodChoice({ filters, onChange }: FilterBarProps) {
  const { period } = filters;
  const range = period !== null && typeof period !== 'string' ? period : null;
  const [ranging, setRanging] = useState(false);
  const choose = (next: ConversationFilters['period']) => {
    setRanging(false);
    onChange({ ...filters, period: next });
  };
  const change = (end: 'from' | 'to', value: string) => {
    const next = { ...(range ?? { from: null, to: null }), [end]: value || null };
    setRanging(true);
    // Typing a year digit by digit passes through wrong years.
    if (value !== '' && value < '1970') return;
    onChange({ ...filters, period: next.from || next.to ? next : null });
  };
  const showsRange = ranging || range !== null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <DropdownMenu
        trigger={
          <Button
            variant="secondary"
            aria-label={t('filters.period', { period: periodName(period) })}
            className={cn('rounded-full', period !== null && 'border-accent-line text-accent-text')}
          >
            <CalendarDays aria-hidden="true" />
            {showsRange ? t('filters.range') : periodName(period)}
            <ChevronDown aria-hidden="true" className="-mr-1" />
          </Button>
        }
      >
        <DropdownMenuItem onSelect={() => choose(noFilters.period)}>{t('filters.anyTime')}</DropdownMenuItem>
        {presets.map((preset) => (
          <DropdownMenuItem key={preset} onSelect={() => choose(preset)}>
            <span className="flex-1">{presetNames[preset]}</span>
            {period === preset && <Check aria-hidden="true" className="text-accent-text!" />}
          </DropdownMenuItem>
        ))}
        <DropdownMenuItem onSelect={() => setRanging(true)}>{t('filters.rangeMenu')}</DropdownMenuItem>
      </DropdownMenu>
      {showsRange && (
        <div className="flex animate-appear flex-wrap items-center gap-2 text-ink-muted text-sm">
          <DayField
            label={t('filters.from')}
            value={range?.from}
            latest={range?.to}
            onChange={(day) => change('from', day)}
          />
          <span aria-hidden="true">–</span>
          <DayField
            label={t('filters.to')}
            value={range?.to}
            earliest={range?.from}
            onChange={(day) => change('to', day)}
          />
        </div>
      )}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  value: string | null | undefined;
  earliest?: string | null | undefined;
  latest?: string | null | undefined;
  onChange: (day: string) => void;
}

function DayField({ label, value, earliest, latest, onChange }: DayFieldProps) {
  return (
    <Input
      type="date"
      aria-label={label}
      value={value ?? ''}
      min={earliest ?? undefined}
      max={latest ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      className="h-10 w-38 sm:h-10"
    />
  );
}
