import { LogOut, Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { ListedSession } from '#shared/accounts';
import { formatAgo, formatDateTime } from '#web/lib/formats';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { AskPassword } from '../ask-password.tsx';
import { Section } from '../section.tsx';
import { useEndSession, useSessions, useSignOutEverywhere } from './api.ts';
import { describeProgram } from './describe-program.ts';

/** From where the user is signed in, and the end of it. */
export function Sessions() {
  const { data: sessions, error, refetch } = useSessions();
  const signOut = useSignOutEverywhere();
  const ending = useEndSession();
  /** Which session is being ended, or all of them. */
  const [doomed, setDoomed] = useState<ListedSession | 'all' | null>(null);
  const stop = () => {
    setDoomed(null);
    ending.reset();
    signOut.reset();
  };
  return (
    <Section
      title="Where you are signed in"
      text="End what you do not know. Its calls, its live rooms and its links to recordings end with it."
    >
      {error && !sessions ? (
        <LoadProblem title="Your sessions could not be loaded." error={error} onRetry={refetch} />
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
          Sign out everywhere
        </Button>
      )}
      {doomed === 'all' && (
        <>
          <p className="text-sm">Every device is signed out, this one too. Calls that are going on end.</p>
          <AskPassword confirm="Sign out everywhere" danger deciding={signOut} onCancel={stop} />
        </>
      )}
      {doomed !== null && doomed !== 'all' && (
        <>
          <p className="text-sm">{describeProgram(doomed.userAgent).name} is signed out.</p>
          <AskPassword
            key={doomed._id}
            confirm="End session"
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
  const used = session.current ? 'in use now' : `last used ${formatAgo(session.lastUsedAt)}`;
  return (
    <li className="flex items-center gap-3.5 px-4 py-3">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium text-sm">
          {name}
          {session.current && <Badge tone="accent">This device</Badge>}
        </p>
        <p
          className="wrap-anywhere text-ink-muted text-sm"
          title={`Signed in ${formatDateTime(session.createdAt)}, until ${formatDateTime(session.expiresAt)}`}
        >
          {[session.address, used].filter(Boolean).join(' · ')}
        </p>
      </div>
      {!session.current && (
        <Button variant="secondary" size="sm" aria-label={`End ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
