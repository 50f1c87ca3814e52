import { useEffect, useRef, useState } from 'react';
import type { AgentDraft } from '#shared/agents';
import { formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/agents';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Dialog } from '#web/ui/layers/dialog';
import type { ShownAgent } from '../api.ts';
import { linesOfAnswers } from '../versions/lines-of-answers.ts';

interface ReplacedVersionProps {
  own: AgentDraft;
  other: ShownAgent;
  onBringBack: () => void;
  onDismiss: () => void;
}

/** Reports that a save replaced a later one, shows that version, and restores it. */
export function ReplacedVersion({ own, other, onBringBack, onDismiss }: ReplacedVersionProps) {
  const [shown, setShown] = useState(false);
  const differences = differing(own, other);
  const notice = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // The save button is at the end of the form, the notice at its top.
    notice.current?.focus({ preventScroll: true });
    notice.current?.scrollIntoView({ block: 'center' });
  }, []);

  return (
    <div ref={notice} tabIndex={-1} className="mb-6 rounded-md">
      <Banner tone="warning" role="status">
        <p className="font-medium">{t('replaced.title')}</p>
        <p className="mt-1">
          {other.updatedAt
            ? t('replaced.textOn', { date: formatDateTime(other.updatedAt) })
            : t('replaced.text')}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={() => setShown(true)}>
            {t('replaced.see')}
          </Button>
          <Button variant="secondary" size="sm" onClick={onBringBack}>
            {t('replaced.bringBack')}
          </Button>
          <Button variant="ghost" size="sm" onClick={onDismiss}>
            {t('replaced.keepMine')}
          </Button>
        </div>
        <Dialog
          open={shown}
          onOpenChange={setShown}
          title={t('replaced.dialogTitle')}
          description={t('replaced.dialogText')}
        >
          <dl className="mt-4 flex min-h-0 flex-col gap-4 overflow-y-auto">
            {differences.map(({ label, text }) => (
              <div key={label}>
                <dt className="font-medium text-sm">{label}</dt>
                <dd
                  dir="auto"
                  className="wrap-anywhere mt-1 max-h-60 overflow-y-auto whitespace-pre-wrap rounded-md bg-sunken px-3 py-2 text-ink-muted text-sm"
                >
                  {text || t('replaced.nothing')}
                </dd>
              </div>
            ))}
          </dl>
          <div className="mt-5 flex justify-end">
            <Button
              size="sm"
              onClick={() => {
                setShown(false);
                onBringBack();
              }}
            >
              {t('replaced.bringBack')}
            </Button>
          </div>
        </Dialog>
      </Banner>
    </div>
  );
}

function differing(own: AgentDraft, other: ShownAgent): { label: string; text: string }[] {
  const parts = [
    { label: t('fields.name'), mine: own.name, text: other.name },
    { label: t('fields.company'), mine: own.companyName, text: other.companyName },
    { label: t('fields.personality'), mine: own.personality, text: other.personality },
    { label: t('fields.companyInfo'), mine: own.companyInfo, text: other.companyInfo },
    { label: t('fields.greeting'), mine: own.greeting ?? '', text: other.greeting ?? '' },
    { label: t('fields.goodbye'), mine: own.goodbye ?? '', text: other.goodbye ?? '' },
    {
      label: t('fields.answers'),
      mine: linesOfAnswers(own.answers ?? []),
      text: linesOfAnswers(other.answers ?? []),
    },
    {
      label: t('fields.neverSays'),
      mine: (own.neverSay ?? []).join('\n'),
      text: (other.neverSay ?? []).join('\n'),
    },
    {
      label: t('fields.takeover'),
      mine: (own.handOverWhen ?? []).join('\n'),
      text: (other.handOverWhen ?? []).join('\n'),
    },
    { label: t('fields.prompts'), mine: own.prompts.join('\n'), text: other.prompts.join('\n') },
  ];
  return parts.filter(({ mine, text }) => mine !== text);
}
