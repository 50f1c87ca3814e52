import { ScanSearch } from 'lucide-react';
import type { MouseEventHandler } from 'react';
import { t } from '#web/texts/documents';
import { Button } from '#web/ui/button';

/** Leads to what customers would be answered, before a document comes or goes. */
export function SeeChangeButton({ onClick }: { onClick: MouseEventHandler<HTMLButtonElement> }) {
  return (
    <Button variant="secondary" onClick={onClick}>
      <ScanSearch aria-hidden="true" />
      {t('seeChange')}
    </Button>
  );
}
