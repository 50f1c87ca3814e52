import { zodResolver } from '@hookform/resolvers/zod';
import { Copy, Send } from 'lucide-react';
import { Controller, useForm } from 'react-hook-form';
import {
  type Invitation,
  type InvitationRequest,
  invitationRequestSchema,
  type NewInvitation,
} from '#shared/members';
import { formatDateTime } from '#web/lib/formats';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/accounts';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { toast } from '#web/ui/layers/toast';
import { Section } from '../section.tsx';
import { useInvitations, useInvite, useWithdraw } from './api.ts';
import { RoleChoice, roleNames } from './role-choice.tsx';

/** Makes invitation links, and lists the unused ones. */
export function Invitations() {
  const { data: invitations = [] } = useInvitations();
  const invite = useInvite();
  const form = useForm<InvitationRequest>({
    resolver: zodResolver(invitationRequestSchema),
    defaultValues: { email: '', role: 'member' },
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (invitation) => {
    try {
      await invite.mutateAsync(invitation);
      form.reset();
    } catch (error) {
      const message = error instanceof ApiError ? error.message : t('invite.failed');
      form.setError('email', { message });
    }
  });

  return (
    <Section title={t('invite.title')} text={t('invite.text')}>
      <form
        noValidate
        onSubmit={submit}
        className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_10rem_auto]"
      >
        <Field label={t('invite.email')} error={errors.email?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register('email')}
              type="email"
              required
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder={t('invite.emailExample')}
            />
          )}
        </Field>
        <Field label={t('invite.role')}>
          {(control) => (
            <Controller
              control={form.control}
              name="role"
              render={({ field: { value, onChange } }) => (
                <RoleChoice {...control} value={value} onChange={onChange} />
              )}
            />
          )}
        </Field>
        <Button type="submit" busy={invite.isPending} className="h-11 sm:mt-6.75">
          {!invite.isPending && <Send aria-hidden="true" />}
          {t('invite.create')}
        </Button>
      </form>
      {invite.data && <NewLink invitation={invite.data} />}
      {invitations.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation._id}
              invitation={invitation}
              onWithdrawn={() => invite.data?._id === invitation._id && invite.reset()}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

function NewLink({ invitation: { email, link } }: { invitation: NewInvitation }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      toast.success(t('invite.copied'));
    } catch {
      toast.error(t('invite.copyFailed'));
    }
  };
  return (
    <Banner tone="success" role="status">
      <p>
        {t.rich('invite.send', {
          email,
          address: (text) => <bdi className="wrap-anywhere font-medium">{text}</bdi>,
        })}
      </p>
      <div className="mt-3 flex flex-col gap-2.5 sm:flex-row">
        <Input
          readOnly
          aria-label={t('invite.link')}
          value={link}
          onFocus={(event) => event.target.select()}
          className="h-10 min-w-0 text-ink sm:flex-1"
        />
        <Button variant="secondary" onClick={copy}>
          <Copy aria-hidden="true" />
          {t('invite.copy')}
        </Button>
      </div>
    </Banner>
  );
}

function InvitationRow({ invitation, onWithdrawn }: { invitation: Invitation; onWithdrawn: () => void }) {
  const withdrawal = useWithdraw();
  const { _id, email, role, expiresAt } = invitation;
  return (
    <li className="flex items-center gap-3.5 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium text-sm">{email}</p>
        <p className="text-ink-muted text-sm">
          {t('invite.open', { role: roleNames[role], date: formatDateTime(expiresAt) })}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        busy={withdrawal.isPending}
        aria-label={t('invite.withdrawNamed', { email })}
        onClick={() => withdrawal.mutate(_id, { onSuccess: onWithdrawn })}
      >
        {t('invite.withdraw')}
      </Button>
    </li>
  );
}
