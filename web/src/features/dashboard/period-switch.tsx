import { ToggleGroup } from 'radix-ui';
import { type Period, periods } from '#shared/insights';
import { t } from '#web/texts/dashboard';

/** Chooses the number of days in the charts. */
export function PeriodSwitch({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={t('period.title')}
      value={String(value)}
      onValueChange={(chosen) => {
        const period = periods.find((each) => String(each) === chosen);
        if (period) onChange(period);
      }}
      className="flex gap-0.5 rounded-md bg-sunken p-0.5"
    >
      {periods.map((period) => (
        <ToggleGroup.Item
          key={period}
          value={String(period)}
          aria-label={t('period.days', { period })}
          className="numbers h-8 rounded-[0.5rem] px-3 font-medium text-ink-muted text-sm transition-colors hover:text-ink data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:shadow-lift"
        >
          {t('period.shortDays', { period })}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
