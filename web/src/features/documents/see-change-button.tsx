import { ScanSearch } from 'lucide-react';
import type { MouseEventHandler } from 'react';
import { t } from '#web/texts/documents';
import { Button } from '#web/ui/button';

/** Shows customers' answers before a document is added or removed. */
export function SeeChangeButton({ onClick }: { onClick: MouseEventHandler<HTMLButtonElement> }) {
  return (
    <Button variant="secondary" onClick={onClick}>
      <ScanSearch aria-hidden="true" />
      {t('seeChange')}
    </Button>
  );
}
