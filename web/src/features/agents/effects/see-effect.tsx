import { ScanSearch } from 'lucide-react';
import type { AgentDraft } from '#shared/agents';
import { sayingsIn } from '#shared/sayings';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { useEffectDialog } from './use-effect-dialog.tsx';

interface SeeEffectProps {
  agentId: string;
  /** The complete draft, or null after the form has shown what is missing. */
  draft: () => Promise<AgentDraft | null>;
}

/** Shows the effect of a form's changes before they are saved. */
export function SeeEffect({ agentId, draft }: SeeEffectProps) {
  const { see, dialog } = useEffectDialog(agentId);
  const seeDraft = async () => {
    const written = await draft();
    if (!written) return;
    see({
      change: { companyInfo: written.companyInfo, prompts: written.prompts, ...sayingsIn(written) },
      title: t('effect.changesTitle'),
      description: t('effect.changesText'),
      changedAs: t('effect.withChanges'),
    });
  };
  return (
    <>
      <Button variant="secondary" onClick={() => void seeDraft()}>
        <ScanSearch aria-hidden="true" />
        {t('effect.see')}
      </Button>
      {dialog}
    </>
  );
}
