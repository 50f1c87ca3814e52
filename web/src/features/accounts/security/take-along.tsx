import { Download } from 'lucide-react';
import { t } from '#web/texts/accounts';
import { Button } from '#web/ui/button';
import { Section } from '../section.tsx';
import { useExport } from './api.ts';

/** Downloads all data of the user as a file. */
export function TakeAlong() {
  const taking = useExport();
  return (
    <Section title={t('export.title')} text={t('export.text')}>
      <Button
        variant="secondary"
        busy={taking.isPending}
        className="self-start"
        onClick={() => taking.mutate()}
      >
        {!taking.isPending && <Download aria-hidden="true" />}
        {taking.isPending ? t('export.busy') : t('export.submit')}
      </Button>
    </Section>
  );
}
