import { Mic, MicOff, X } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '#web/texts/calls';
import { t as common } from '#web/texts/common';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuChoices } from '#web/ui/layers/dropdown-menu';
import type { TalkState } from '../speech/talk-state.ts';
import type { Call } from '../use-call.ts';
import { alertDenied, canTryAgain, problemSentence } from './talk-sentences.ts';

const troubles: Record<NonNullable<TalkState['trouble']>, string> = {
  silenced: t('talk.interrupted'),
  mute: t('talk.silentMicrophone'),
};

/** Shows what prevents the customer from being heard, with a remedy; empty without a problem. */
export function TalkNotice({ call }: { call: Call }) {
  const { problem, trouble, hint } = call.state.talk;
  useEffect(() => alertDenied(problem), [problem]);

  if (problem) {
    const isAlertedAlready = problem.kind === 'device' && problem.failure === 'denied';
    return (
      <Banner
        tone="warning"
        role={isAlertedAlready ? undefined : 'alert'}
        icon={<MicOff aria-hidden="true" />}
        className="animate-appear"
      >
        <p>{problemSentence(problem)}</p>
        <div className="-ml-2 mt-1 flex flex-wrap items-center gap-1">
          {canTryAgain(problem) && (
            <Button variant="ghost" size="sm" onClick={() => call.startTalking(problem.mode)}>
              {common('tryAgain')}
            </Button>
          )}
          {problem.kind === 'device' && <OtherMicrophones call={call} />}
          <Button variant="ghost" size="sm" onClick={call.dismissTalkProblem}>
            {t('talk.close')}
          </Button>
        </div>
      </Banner>
    );
  }
  if (trouble)
    return (
      <Banner tone="warning" role="status" icon={<MicOff aria-hidden="true" />} className="animate-appear">
        {troubles[trouble]}
      </Banner>
    );
  if (hint)
    return (
      <div className="flex animate-appear items-center gap-1 pl-2 text-ink-muted text-sm">
        <p role="status" className="flex-1">
          {hint}
        </p>
        <Button variant="ghost" size="icon-sm" aria-label={t('talk.close')} onClick={call.dismissTalkProblem}>
          <X aria-hidden="true" />
        </Button>
      </div>
    );
  return null;
}

function OtherMicrophones({ call }: { call: Call }) {
  const { devices, deviceId, problem } = call.state.talk;
  if (devices.length < 2 || !problem) return null;
  const { mode } = problem;
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="sm">
          {t('talk.chooseAnother')}
        </Button>
      }
    >
      <DropdownMenuChoices
        label={t('talk.microphone')}
        value={deviceId ?? ''}
        onChange={(chosen) => {
          call.chooseMicrophone(chosen);
          call.startTalking(mode);
        }}
        choices={devices.map((device) => ({
          value: device.deviceId,
          label: device.label,
          icon: <Mic aria-hidden="true" />,
        }))}
      />
    </DropdownMenu>
  );
}
