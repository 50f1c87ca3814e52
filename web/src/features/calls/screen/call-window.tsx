import { WifiOff } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { Contact } from '#shared/conversations';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/calls';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { CallClock } from '#web/ui/conversation/call-clock';
import { contactParts } from '#web/ui/conversation/contact-details';
import { LoadProblem } from '#web/ui/load-problem';
import { CallControls, CallStage } from '../stage/call-stage.tsx';
import { TalkBar } from '../stage/talk-bar.tsx';
import { TalkNotice } from '../stage/talk-notice.tsx';
import { useHandsFree } from '../stage/use-hands-free.ts';
import { canSay } from '../state/call-state.ts';
import type { Call } from '../use-call.ts';
import { Composer, focusWithoutKeyboard } from './composer.tsx';
import { Suggestions } from './suggestions.tsx';
import { Transcript } from './transcript.tsx';
import { useCallKeys } from './use-call-keys.ts';

interface CallWindowProps {
  call: Call;
  agent: { name: string; company: string };
  /** A link that leaves the page with the call open, if the page has no other. */
  back?: ReactNode;
  /** 2 on a page with a heading of its own. */
  titleLevel?: 1 | 2;
  /** For a window that does not fill the screen. */
  compact?: boolean;
  /** Shows the server's errors. */
  showsErrors?: boolean;
  /** End Call also leaves a call that has not begun, or is over. */
  endsAlways?: boolean;
  /** The engines in use. */
  note: ReactNode;
  /** A notice for the caller before the first words; null until it is known. */
  notice: string | null;
  suggestions: readonly string[];
  draftKey: string;
  voiceOn: boolean;
  onVoice: (on: boolean) => void;
  onEnd: () => void;
  ending: boolean;
  onNewCall: () => void;
  className?: string;
}

/** A whole call: the agent on one side, the words on the other; on a phone one below the other. */
export function CallWindow(props: CallWindowProps) {
  const {
    call,
    agent,
    back,
    note,
    notice,
    suggestions,
    draftKey,
    voiceOn,
    onVoice,
    onEnd,
    ending,
    onNewCall,
  } = props;
  const { titleLevel = 1, showsErrors = false, endsAlways = false, compact = false } = props;
  const { state } = call;
  const Title = titleLevel === 1 ? 'h1' : 'h2';
  const field = useRef<HTMLTextAreaElement>(null);
  const isFirst = !state.entries.some((entry) => entry.kind === 'customer');

  const handsFree = useHandsFree(call);
  useCallKeys(call, handsFree);
  const { mode } = state.talk;
  // While a message is being spoken, none can be sent in writing (specification, section 5).
  const canWrite = (text: string) => mode !== 'push-to-talk' && canSay(state, text);

  return (
    <div
      className={cn(
        'grid min-h-0 grid-cols-1 grid-rows-[auto_auto_minmax(0,1fr)_auto] overflow-hidden bg-surface lg:grid-cols-[minmax(0,1fr)_minmax(22rem,27rem)] lg:grid-rows-[auto_minmax(0,1fr)_auto] lg:rounded-xl lg:border lg:border-line lg:shadow-float',
        props.className,
      )}
    >
      <header className="flex h-14 items-center gap-3 border-line border-b px-3 sm:px-5">
        {back}
        <div className="min-w-0 flex-1">
          <Title dir="auto" className="truncate font-semibold leading-5">
            {agent.name}
          </Title>
          <p dir="auto" className="truncate text-ink-faint text-xs">
            {agent.company}
          </p>
        </div>
        <CallClock since={state.startedAt} running={state.conversationId !== null && !state.ended} />
      </header>

      <CallStage call={call} note={note} compact={compact} />

      <section
        aria-label={t('window.conversation')}
        className="flex min-h-0 flex-col border-line border-t bg-canvas lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:border-t-0 lg:border-l"
      >
        {state.connection === 'lost' && !state.ended && (
          <Banner
            tone="warning"
            role="status"
            icon={<WifiOff aria-hidden="true" />}
            className="m-3 mb-0 animate-late"
          >
            {t('window.connectionLost')}
          </Banner>
        )}
        <Transcript call={call} speaker={agent.name} notice={notice}>
          {state.problem && (
            <LoadProblem
              title={t('window.startFailed')}
              error={new Error(state.problem)}
              onRetry={call.retryStart}
            />
          )}
        </Transcript>
        <div className="flex flex-col gap-3 px-3 pt-1 pb-3 sm:px-4 sm:pb-4">
          {showsErrors && state.error && (
            <Banner tone="error" role="alert" className="animate-appear">
              {state.error}
            </Banner>
          )}
          {state.ended && !ending ? (
            <Banner tone="info" role="status">
              <span className="flex flex-wrap items-center justify-between gap-3">
                {t('window.ended')}
                <Button size="sm" onClick={onNewCall}>
                  {t('window.startNew')}
                </Button>
              </span>
            </Banner>
          ) : (
            isFirst &&
            suggestions.length > 0 && (
              <Suggestions
                questions={suggestions}
                onChoose={(question) => {
                  // The chosen button disappears, and the focus with it.
                  if (call.say(question)) focusWithoutKeyboard(field.current);
                }}
                disabled={!canWrite('?')}
              />
            )
          )}
          <TalkNotice call={call} />
          <p role="status" className={state.voiceBusy ? 'px-1 text-ink-faint text-xs' : 'sr-only'}>
            {state.voiceBusy && t('window.busy')}
          </p>
          <p
            role="status"
            className={state.contact ? 'wrap-anywhere px-1 text-ink-faint text-xs' : 'sr-only'}
          >
            {state.contact && leftForColleague(state.contact)}
          </p>
          <Composer
            field={field}
            draftKey={draftKey}
            canSend={canWrite}
            onSend={call.say}
            ended={state.ended}
          >
            <TalkBar call={call} handsFree={handsFree} />
          </Composer>
        </div>
      </section>

      <CallControls
        call={call}
        voiceOn={voiceOn}
        onVoice={onVoice}
        onEnd={onEnd}
        ending={ending}
        endsAlways={endsAlways}
        className="px-4 pb-3 max-lg:bg-canvas lg:pb-8"
      />
    </div>
  );
}

/** Shows the details, so that the customer sees whether they were understood. */
function leftForColleague(contact: Contact): string {
  const { note: _longer, ...short } = contact;
  // Names each value, because a bare number is unclear.
  const left = contactParts(short).map(({ kind, text }) =>
    kind === 'reference' ? t('window.reference', { text }) : text,
  );
  return left.length > 0 ? t('window.noted', { details: left.join(' · ') }) : '';
}
