import type { AgentDraft } from '#shared/agents';
import { isTokenStored } from '#web/lib/server/session';
import { t } from '#web/texts/agents';
import { toast } from '#web/ui/layers/toast';
import { AgentEditor } from './agent-editor.tsx';
import { createFailure, useCreateOnce } from './use-create-once.ts';

interface CreateAgentProps {
  onCreated: () => void;
  onCancel: () => void;
}

/** Creates an agent from an empty form or an example. */
export function CreateAgent({ onCreated, onCancel }: CreateAgentProps) {
  const createOnce = useCreateOnce();

  const save = async (draft: AgentDraft, letPass: () => void) => {
    if (!isTokenStored()) throw new MissingToken(t('form.tokenMissing'));
    await createOnce(draft);
    toast.success(t('form.created', { name: draft.name }));
    letPass();
    onCreated();
  };

  return (
    <AgentEditor
      draftKey="draft.new-agent"
      words={{ idle: t('form.create'), busy: t('form.creating') }}
      onSave={save}
      explain={(error) => (error instanceof MissingToken ? error.message : createFailure(error))}
      onCancel={onCancel}
    />
  );
}

class MissingToken extends Error {
  override readonly name = 'MissingToken';
}
