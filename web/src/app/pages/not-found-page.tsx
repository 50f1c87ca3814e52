import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { PageTitle } from '#web/ui/page';

export function NotFoundPage() {
  return (
    <div className="grid flex-1 place-items-center">
      <PageTitle>Page not found</PageTitle>
      <EmptyState
        icon={<Compass aria-hidden="true" />}
        level={1}
        title="This page does not exist"
        text="The address may be mistyped, or what was here is gone."
      >
        <Button asChild>
          <Link to="/">Back to the start</Link>
        </Button>
      </EmptyState>
    </div>
  );
}
