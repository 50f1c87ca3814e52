import { Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

export function LiveCallNotYetPage() {
  return (
    <NotYet
      title="Live Call"
      icon={<Radio aria-hidden="true" />}
      text="Live voice rooms are not available in this version yet."
    />
  );
}

function NotYet({ title, icon, text }: { title: string; icon: ReactNode; text: string }) {
  return (
    <PageColumn>
      <PageTitle>{title}</PageTitle>
      <PageHeader title={title} />
      <EmptyState icon={icon} title="Not here yet" text={text}>
        <Button asChild>
          <Link to="/call-simulator">Talk to the demo agent</Link>
        </Button>
      </EmptyState>
    </PageColumn>
  );
}
