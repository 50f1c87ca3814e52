import { LogOut, Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { ListedSession } from '#shared/accounts';
import { formatAgo, formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/accounts';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { AskPassword } from '../ask-password.tsx';
import { Section } from '../section.tsx';
import { useEndSession, useSessions, useSignOutEverywhere } from './api.ts';
import { describeProgram } from './describe-program.ts';

/** Lists the user's sessions and ends them. */
export function Sessions() {
  const { data: sessions, error, refetch } = useSessions();
  const signOut = useSignOutEverywhere();
  const ending = useEndSession();
  /** The session being ended, or all of them. */
  const [doomed, setDoomed] = useState<ListedSession | 'all' | null>(null);
  const stop = () => {
    setDoomed(null);
    ending.reset();
    signOut.reset();
  };
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      {error && !sessions ? (
        <LoadProblem title={t('sessions.loadFailed')} error={error} onRetry={refetch} />
      ) : (
        <ul aria-busy={!sessions || undefined} className="divide-y divide-line rounded-md border border-line">
          {sessions ? (
            sessions.map((session) => (
              <SessionRow key={session._id} session={session} onEnd={() => setDoomed(session)} />
            ))
          ) : (
            <li className="p-4">
              <Skeleton className="h-10" />
            </li>
          )}
        </ul>
      )}
      {doomed === null && (
        <Button variant="secondary" className="self-start" onClick={() => setDoomed('all')}>
          <LogOut aria-hidden="true" />
          {t('sessions.signOutEverywhere')}
        </Button>
      )}
      {doomed === 'all' && (
        <>
          <p className="text-sm">{t('sessions.signOutEverywhereText')}</p>
          <AskPassword confirm={t('sessions.signOutEverywhere')} danger deciding={signOut} onCancel={stop} />
        </>
      )}
      {doomed !== null && doomed !== 'all' && (
        <>
          <p className="text-sm">
            {t('sessions.endText', { program: describeProgram(doomed.userAgent).name })}
          </p>
          <AskPassword
            key={doomed._id}
            confirm={t('sessions.endConfirm')}
            danger
            deciding={{
              ...ending,
              mutate: (password) => ending.mutate({ id: doomed._id, password }, { onSuccess: stop }),
            }}
            onCancel={stop}
          />
        </>
      )}
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: ListedSession; onEnd: () => void }) {
  const { name, kind } = describeProgram(session.userAgent);
  const Icon = kind === 'phone' ? Smartphone : Monitor;
  const used = session.current
    ? t('sessions.current')
    : t('sessions.lastUsed', { ago: formatAgo(session.lastUsedAt) });
  return (
    <li className="flex items-center gap-3.5 px-4 py-3">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium text-sm">
          {name}
          {session.current && <Badge tone="accent">{t('sessions.thisDevice')}</Badge>}
        </p>
        <p
          className="wrap-anywhere text-ink-muted text-sm"
          title={t('sessions.period', {
            from: formatDateTime(session.createdAt),
            until: formatDateTime(session.expiresAt),
          })}
        >
          {[session.address, used].filter(Boolean).join(' · ')}
        </p>
      </div>
      {!session.current && (
        <Button variant="secondary" size="sm" aria-label={t('sessions.endNamed', { name })} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
