import { Download } from 'lucide-react';
import { Button } from '#web/ui/button';
import { Section } from '../section.tsx';
import { useExport } from './api.ts';

/** Everything of theirs, as a file of their own. */
export function TakeAlong() {
  const taking = useExport();
  return (
    <Section
      title="Take your data along"
      text="One archive with your account, your agents, every conversation and its recordings."
    >
      <Button
        variant="secondary"
        busy={taking.isPending}
        className="self-start"
        onClick={() => taking.mutate()}
      >
        {!taking.isPending && <Download aria-hidden="true" />}
        {taking.isPending ? 'Preparing your archive...' : 'Download archive'}
      </Button>
    </Section>
  );
}
