import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { AnsweredNow } from '#shared/insights';
import { formatTime } from '#web/lib/formats';
import { t } from '#web/texts/unanswered';
import { Banner } from '#web/ui/banner';
import { OutcomeBadge } from '#web/ui/conversation/outcome-badge';
import { Sources } from '#web/ui/conversation/sources';
import { SpeechBubble } from '#web/ui/conversation/speech-bubble';

interface AnswerNowProps {
  result: AnsweredNow;
  agentId: string | null;
  agentName: string;
}

/** The agent's answer to the question from now on; says plainly if it is still no answer. */
export function AnswerNow({ result, agentId, agentName }: AnswerNowProps) {
  const [at] = useState(() => new Date().toISOString());
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="mt-4 scroll-mt-20 animate-appear rounded-md bg-sunken px-4 py-4 outline-none"
    >
      <h3 id={id} className="mb-3 font-medium text-sm">
        {t.rich('now.says', { name: agentName, agent: (text) => <bdi>{text}</bdi> })}
      </h3>
      <SpeechBubble
        own={false}
        speaker={agentName}
        time={formatTime(at)}
        dateTime={at}
        footer={
          <>
            <OutcomeBadge outcome={result.outcome} />
            <Sources citations={result.citations} />
          </>
        }
      >
        <div dir="auto">{result.message}</div>
      </SpeechBubble>
      {result.outcome !== 'answered' && (
        <Banner tone="warning" className="mt-3">
          {t('now.unsure')}
          {agentId && (
            <>
              {' '}
              <Link
                to={`/agents/edit/${encodeURIComponent(agentId)}`}
                className="font-medium underline underline-offset-4"
              >
                {t('now.reword')}
              </Link>
            </>
          )}
        </Banner>
      )}
    </section>
  );
}
