import { LogOut, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Member } from '#shared/members';
import { formatAgo } from '#web/lib/formats';
import { t } from '#web/texts/accounts';
import { Avatar } from '#web/ui/avatar';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { useUser } from '../auth.ts';
import { Section } from '../section.tsx';
import { useChangeRole, useEndSessions, useMembers, useRemoveMember } from './api.ts';
import { RoleChoice } from './role-choice.tsx';

export function MemberList() {
  const { data: members, error, refetch } = useMembers();
  const removal = useRemoveMember();
  const [condemned, setCondemned] = useState<Member | null>(null);
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t('members.title')} text={t('members.text')}>
      {error && !members ? (
        <LoadProblem title={t('members.loadFailed')} error={error} onRetry={refetch} />
      ) : (
        <ul aria-busy={!members || undefined} className="divide-y divide-line rounded-md border border-line">
          {members ? (
            members.map((member) => (
              <MemberRow
                key={member._id}
                member={member}
                isBeingRemoved={removal.isPending && removal.variables._id === member._id}
                onRemove={() => {
                  setCondemned(member);
                  setAsking(true);
                }}
              />
            ))
          ) : (
            <li className="p-4">
              <Skeleton className="h-10" />
            </li>
          )}
        </ul>
      )}
      {members?.length === 1 && <p className="text-ink-muted text-sm">{t('members.onlyYou')}</p>}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        question={t('members.removeQuestion')}
        detail={
          condemned &&
          t.rich('members.removeDetail', {
            name: condemned.name,
            member: (text) => <bdi className="wrap-anywhere">{text}</bdi>,
          })
        }
        confirm={t('members.remove')}
        onConfirm={() => condemned && removal.mutate(condemned)}
      />
    </Section>
  );
}

interface MemberRowProps {
  member: Member;
  isBeingRemoved: boolean;
  onRemove: () => void;
}

function MemberRow({ member, isBeingRemoved, onRemove }: MemberRowProps) {
  const user = useUser();
  const isMe = user._id === member._id;
  // Owners of the installation see members of other workspaces, but cannot change their roles.
  const isElsewhere = user.workspaceId !== member.workspaceId;
  const change = useChangeRole();
  const ending = useEndSessions();
  const seen = member.lastUsedAt
    ? t('members.here', { ago: formatAgo(member.lastUsedAt) })
    : t('members.away');
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5 px-4 py-3">
      <Avatar name={member.name} />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium text-sm">
          <bdi className="wrap-anywhere">{member.name}</bdi>
          {isMe && <Badge tone="accent">{t('members.you')}</Badge>}
        </p>
        <p className="wrap-anywhere text-ink-muted text-sm">{[member.email, seen].join(' · ')}</p>
      </div>
      <div className="flex items-center gap-2">
        {isElsewhere ? (
          <Badge>{t('members.elsewhere')}</Badge>
        ) : (
          <RoleChoice
            aria-label={t('members.roleOf', { name: member.name })}
            className="h-10 w-36"
            value={change.isPending ? change.variables.role : member.role}
            disabled={change.isPending}
            onChange={(role) => change.mutate({ id: member._id, role })}
          />
        )}
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('members.signOutNamed', { name: member.name })}
          title={t('members.signOut')}
          disabled={isMe || !member.lastUsedAt}
          busy={ending.isPending}
          className={isMe ? 'invisible' : ''}
          onClick={() => ending.mutate(member)}
        >
          {!ending.isPending && <LogOut aria-hidden="true" />}
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('members.removeNamed', { name: member.name })}
          disabled={isMe}
          busy={isBeingRemoved}
          className={isMe ? 'invisible' : ''}
          onClick={onRemove}
        >
          {!isBeingRemoved && <Trash2 aria-hidden="true" />}
        </Button>
      </div>
    </li>
  );
}
