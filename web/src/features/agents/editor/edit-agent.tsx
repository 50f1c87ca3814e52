import { useRef, useState } from 'react';
import type { AgentDraft } from '#shared/agents';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { type ShownAgent, useUpdateAgent } from '../api.ts';
import { AgentEditor } from './agent-editor.tsx';
import { ReplacedVersion } from './replaced-version.tsx';
import { createFailure, useCreateOnce } from './use-create-once.ts';

interface EditAgentProps {
  agent: ShownAgent;
  onSaved: () => void;
  onCancel: () => void;
}

/** Changes an agent. If the save replaced another one, stays on the page and shows that version. */
export function EditAgent({ agent, onSaved, onCancel }: EditAgentProps) {
  const updateAgent = useUpdateAgent(agent._id);
  const createOnce = useCreateOnce();
  const startedFrom = useRef(agent.updatedAt);
  const [conflict, setConflict] = useState<{ own: AgentDraft; other: ShownAgent } | null>(null);

  const save = async (draft: AgentDraft, letPass: () => void) => {
    const saved = await updateAgent.mutateAsync({ draft, startedFrom: startedFrom.current });
    startedFrom.current = saved.updatedAt;
    if (saved.replaced) {
      setConflict({ own: draft, other: saved.replaced });
      return;
    }
    letPass();
    onSaved();
  };

  const saveAsNew = async (draft: AgentDraft, letPass: () => void) => {
    await createOnce(draft);
    letPass();
    onSaved();
  };

  return (
    <AgentEditor
      start={agent}
      agentId={agent._id}
      draftKey={`draft.agent-form.${agent._id}`}
      words={{ idle: t('form.save'), busy: t('form.saving') }}
      onSave={save}
      explain={(error, draft, letPass) => (
        <Failure error={error} onSaveAsNew={() => saveAsNew(draft, letPass)} />
      )}
      onCancel={onCancel}
      notice={(bringBack) =>
        conflict && (
          <ReplacedVersion
            own={conflict.own}
            other={conflict.other}
            onBringBack={() => {
              bringBack(conflict.other);
              setConflict(null);
            }}
            onDismiss={() => setConflict(null)}
          />
        )
      }
    />
  );
}

interface FailureProps {
  error: unknown;
  onSaveAsNew: () => Promise<void>;
}

function Failure({ error, onSaveAsNew }: FailureProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isGone = error instanceof ApiError && error.status === 404;
  const isRefused = error instanceof ApiError && error.status > 0 && error.status < 500;
  const again = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onSaveAsNew();
    } catch (failure) {
      setProblem(createFailure(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <p>{t('form.updateFailed')}</p>
      {isRefused && <p className="mt-1">{error.serverMessage}</p>}
      {isGone && (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
          <p>{t('form.deletedMeanwhile')}</p>
          <Button variant="secondary" size="sm" busy={busy} onClick={() => void again()}>
            {t('form.saveAsNew')}
          </Button>
        </div>
      )}
      {problem && <p className="mt-2">{problem}</p>}
    </>
  );
}
