import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { AgentActions } from '#web/features/agents/actions/agent-actions';
import { useAgent, useAgents } from '#web/features/agents/api';
import { CreateAgent } from '#web/features/agents/editor/create-agent';
import { EditAgent } from '#web/features/agents/editor/edit-agent';
import { useEffectDialog } from '#web/features/agents/effects/use-effect-dialog';
import { AgentHistory } from '#web/features/agents/versions/agent-history';
import { Knowledge } from '#web/features/documents/knowledge';
import { t } from '#web/texts/agents';
import { Card } from '#web/ui/card';
import { toast } from '#web/ui/layers/toast';
import { LoadProblem } from '#web/ui/load-problem';
import { PageColumn, PageTitle } from '#web/ui/page';
import { Skeleton } from '#web/ui/skeleton';

export function CreateAgentPage() {
  const navigate = useNavigate();
  return (
    <FormPage title={t('form.createTitle')}>
      <CreateAgent onCreated={() => navigate('/agents')} onCancel={() => navigate('/agents')} />
    </FormPage>
  );
}

export function EditAgentPage() {
  const { agentId = '' } = useParams();
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useAgent(agentId);
  const { data: agents } = useAgents();
  /** Counts restored versions: each one restarts the form. */
  const [restored, setRestored] = useState(0);
  const effect = useEffectDialog(agentId);
  return (
    <FormPage title={t('form.editTitle')}>
      {isPending && <FormSkeleton />}
      {error && !data && <LoadProblem title={t('form.loadFailed')} error={error} onRetry={refetch} />}
      {data && (
        <>
          <EditAgent
            key={`${data._id} ${restored}`}
            agent={data}
            onSaved={() => {
              toast.success(t('form.saved'));
              navigate('/agents');
            }}
            onCancel={() => navigate('/agents')}
          />
          <Knowledge agentId={data._id} agents={agents ?? [data]} onSeeEffect={effect.see} />
          <AgentActions agentId={data._id} />
          <AgentHistory
            agentId={data._id}
            onRestored={() => void refetch().then(() => setRestored((times) => times + 1))}
          />
          {effect.dialog}
        </>
      )}
    </FormPage>
  );
}

function FormPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <PageColumn>
      <PageTitle>{title}</PageTitle>
      <Link
        to="/agents"
        className="-ml-1.5 inline-flex h-8 items-center gap-1.5 rounded-sm px-1.5 font-medium text-ink-muted text-sm transition-colors hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('backToAgents')}
      </Link>
      <h1 className="mt-3 mb-6 font-semibold text-2xl sm:text-3xl">{title}</h1>
      {children}
    </PageColumn>
  );
}

function FormSkeleton() {
  return (
    <div
      role="status"
      aria-label={t('form.loading')}
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)]"
    >
      <Card className="flex flex-col gap-6 p-5 sm:p-6">
        <div className="grid gap-6 sm:grid-cols-2">
          <Skeleton className="h-17 rounded-md" />
          <Skeleton className="h-17 rounded-md" />
        </div>
        <Skeleton className="h-30 rounded-md" />
        <Skeleton className="h-44 rounded-md" />
      </Card>
      <Skeleton className="h-96 rounded-lg max-lg:hidden" />
    </div>
  );
}
