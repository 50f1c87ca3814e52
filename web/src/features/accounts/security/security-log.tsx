import { ScrollText } from 'lucide-react';
import type { AuditAction, AuditEntry } from '#shared/audit';
import { formatDateTime } from '#web/lib/formats';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { useSecurityLog } from './api.ts';

/** What was done, as the end of a sentence about who did it. */
const deeds: Record<AuditAction, string> = {
  'sign-in': 'signed in',
  'sign-in-refused': 'was refused: wrong email or password',
  'sign-out': 'signed out',
  'password-changed': 'changed their password',
  'password-reset': 'had a password reset',
  'session-ended': 'ended a session',
  'role-changed': 'changed a role',
  invited: 'invited somebody',
  'member-removed': 'removed a member',
  exported: 'exported data',
  erased: 'deleted their account',
  'conversation-deleted': 'deleted a conversation',
  'settings-changed': 'changed a setting',
  'access-refused': 'was refused',
  'malware-refused': 'sent something malicious, which was refused',
};

/** Who did what, when and from where, for owners. */
export function SecurityLog() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSecurityLog();
  const entries = data?.pages.flatMap((page) => page.entries);
  if (error && !entries)
    return <LoadProblem title="The security log could not be loaded." error={error} onRetry={refetch} />;
  if (entries?.length === 0)
    return (
      <EmptyState
        icon={<ScrollText aria-hidden="true" />}
        title="Nothing yet"
        text="Sign-ins, refusals, new roles, invitations and deletions are listed here, for 400 days."
      />
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-muted text-sm">
        Who did what, when and from where. Entries are kept for 400 days.
      </p>
      <ul aria-busy={!entries || undefined} className="divide-y divide-line rounded-md border border-line">
        {entries ? (
          entries.map((entry) => <LogRow key={entry._id} entry={entry} />)
        ) : (
          <li className="p-4">
            <Skeleton className="h-10" />
          </li>
        )}
      </ul>
      {hasNextPage && (
        <Button
          variant="secondary"
          busy={isFetchingNextPage}
          className="self-center"
          onClick={() => void fetchNextPage()}
        >
          Show older entries
        </Button>
      )}
    </div>
  );
}

function LogRow({ entry }: { entry: AuditEntry }) {
  const isRefusal = entry.action === 'sign-in-refused';
  return (
    <li className="px-4 py-3 text-sm">
      <p className={isRefusal ? 'wrap-anywhere text-urgent-text' : 'wrap-anywhere'}>
        <span className="font-medium">{entry.actor || 'Somebody unknown'}</span> {deeds[entry.action]}
        {entry.subject && <span className="text-ink-muted"> ({entry.subject})</span>}
      </p>
      <p className="mt-0.5 text-ink-muted">
        {[formatDateTime(entry.at), entry.address].filter(Boolean).join(' · ')}
      </p>
    </li>
  );
}
