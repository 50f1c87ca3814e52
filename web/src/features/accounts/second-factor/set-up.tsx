import { type FormEvent, useRef } from 'react';
import type { SecondFactorProposal } from '#shared/accounts';
import { t } from '#web/texts/accounts';
import { t as common } from '#web/texts/common';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { AskPassword } from '../ask-password.tsx';
import { useConfirmation, useProposal } from './api.ts';
import { QrCode } from './qr-code.tsx';

interface SetUpProps {
  onCodes: (recoveryCodes: string[]) => void;
  onCancel: () => void;
  /** The label of the other button, by default "Cancel". */
  cancel?: string;
}

/** Sets up a second factor: password, QR code, first code. */
export function SetUp({ onCodes, onCancel, cancel = common('cancel') }: SetUpProps) {
  const proposal = useProposal();
  if (!proposal.data)
    return (
      <AskPassword confirm={t('secondFactor.goOn')} deciding={proposal} onCancel={onCancel} cancel={cancel} />
    );
  return <FirstCode proposal={proposal.data} onCodes={onCodes} onCancel={onCancel} cancel={cancel} />;
}

function FirstCode({ proposal, onCodes, onCancel, cancel }: SetUpProps & { proposal: SecondFactorProposal }) {
  const confirmation = useConfirmation();
  const code = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirmation.mutate(code.current?.value.trim() ?? '', {
      onSuccess: onCodes,
      onError: () => code.current?.select(),
    });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {confirmation.error && (
        <Banner tone="error" role="alert">
          {confirmation.error.message}
        </Banner>
      )}
      <div className="flex flex-col gap-5 sm:flex-row sm:items-center">
        <QrCode text={proposal.address} label={t('secondFactor.picture')} />
        <div className="min-w-0 flex-1 text-sm">
          <p>{t('secondFactor.scan')}</p>
          <p className="mt-2 wrap-anywhere rounded-md bg-sunken px-3 py-2 font-mono">
            {proposal.secret.match(/.{1,4}/g)?.join(' ')}
          </p>
        </div>
      </div>
      <Field label={t('secondFactor.code')} hint={t('secondFactor.codeHint')}>
        {(control) => (
          <Input
            {...control}
            ref={code}
            required
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="123456"
            className="sm:max-w-48"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" busy={confirmation.isPending}>
          {t('secondFactor.turnOn')}
        </Button>
        <Button variant="secondary" disabled={confirmation.isPending} onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}
