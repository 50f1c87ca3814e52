import type { AgentDraft } from '#shared/agents';
import { agentExamples } from '#web/texts/agent-examples';
import { t } from '#web/texts/agents';
import { Dialog } from '#web/ui/layers/dialog';

interface ExamplesDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Whether the example would replace typed text. */
  replaces: boolean;
  onChoose: (example: AgentDraft) => void;
}

/** Example businesses: each is a complete agent that can be tried at once. */
export function ExamplesDialog({ open, onOpenChange, replaces, onChoose }: ExamplesDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('examples.title')}
      description={replaces ? t('examples.replaces') : t('examples.text')}
    >
      <ul className="-mx-2 mt-4 flex flex-col gap-1 overflow-y-auto">
        {agentExamples.map(({ kind, about, agent }) => (
          <li key={kind}>
            <button
              type="button"
              onClick={() => onChoose(agent)}
              className="w-full rounded-md border border-transparent px-3 py-3 text-left transition-colors hover:border-accent-line hover:bg-accent-soft"
            >
              <span className="flex items-baseline justify-between gap-3">
                <span className="font-semibold">{kind}</span>
                <span className="shrink-0 text-ink-faint text-sm">
                  {t('examples.agent', { name: agent.name, company: agent.companyName })}
                </span>
              </span>
              <span className="mt-0.5 block text-ink-muted text-sm">{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
