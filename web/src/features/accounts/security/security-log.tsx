import { ScrollText } from 'lucide-react';
import type { AuditAction, AuditEntry } from '#shared/audit';
import { formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/accounts';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { useSecurityLog } from './api.ts';

/** Actions as the end of a sentence about their author. */
const deeds: Record<AuditAction, string> = {
  'sign-in': t('log.deeds.signIn'),
  'sign-in-refused': t('log.deeds.signInRefused'),
  'sign-out': t('log.deeds.signOut'),
  'password-changed': t('log.deeds.passwordChanged'),
  'password-reset': t('log.deeds.passwordReset'),
  'session-ended': t('log.deeds.sessionEnded'),
  'role-changed': t('log.deeds.roleChanged'),
  invited: t('log.deeds.invited'),
  'member-removed': t('log.deeds.memberRemoved'),
  exported: t('log.deeds.exported'),
  erased: t('log.deeds.erased'),
  'conversation-deleted': t('log.deeds.conversationDeleted'),
  'settings-changed': t('log.deeds.settingsChanged'),
  'access-refused': t('log.deeds.accessRefused'),
  'malware-refused': t('log.deeds.malwareRefused'),
};

/** The log of actions with their author, time and address, for owners. */
export function SecurityLog() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSecurityLog();
  const entries = data?.pages.flatMap((page) => page.entries);
  if (error && !entries) return <LoadProblem title={t('log.loadFailed')} error={error} onRetry={refetch} />;
  if (entries?.length === 0)
    return (
      <EmptyState icon={<ScrollText aria-hidden="true" />} title={t('log.empty')} text={t('log.emptyText')} />
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-muted text-sm">{t('log.text')}</p>
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
          {t('log.older')}
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
        <span className="font-medium">{entry.actor || t('log.unknownActor')}</span> {deeds[entry.action]}
        {entry.subject && <span className="text-ink-muted"> ({entry.subject})</span>}
      </p>
      <p className="mt-0.5 text-ink-muted">
        {[formatDateTime(entry.at), entry.address].filter(Boolean).join(' · ')}
      </p>
    </li>
  );
}
