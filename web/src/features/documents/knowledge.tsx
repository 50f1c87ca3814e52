import {
  BookOpenText,
  CircleAlert,
  FileSearch,
  FileUp,
  Globe,
  Share2,
  TextCursorInput,
  X,
} from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import type { KnowledgeDocument } from '#shared/documents';
import { cn } from '#web/lib/class-names';
import type { TriedChange } from '#web/lib/tried-change';
import { t } from '#web/texts/documents';
import { Button } from '#web/ui/button';
import { Card, CardTitle } from '#web/ui/card';
import { EmptyState } from '#web/ui/empty-state';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { toast } from '#web/ui/layers/toast';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { Spinner } from '#web/ui/spinner';
import { AddDialog, type Adding } from './add-dialogs.tsx';
import { previewed, useChangeDocument, useDocuments, useReadAgain, useRemoveDocument } from './api.ts';
import { DocumentRow } from './document-row.tsx';
import { SeeChangeButton } from './see-change-button.tsx';
import { ifAdded, ifRemoved, ifReplaced } from './tried-changes.ts';
import { type Upload, useUploads } from './use-uploads.ts';

const ACCEPTED = '.txt,.md,.markdown,.html,.htm,.pdf,.docx,.csv,.tsv,.json,text/*';

interface KnowledgeProps {
  agentId: string;
  /** The account's agents: names the agents that share a document. */
  agents: readonly { _id: string; name: string }[];
  /** Shows customers' answers after a change. */
  onSeeEffect: (tried: TriedChange) => void;
}

/** The purpose of the next chosen file; a document: to replace it. */
type ChosenFor = 'adding' | 'trying' | KnowledgeDocument;

/** The documents of an agent: the list, and every way to add, change and remove them. */
export function Knowledge({ agentId, agents, onSeeEffect }: KnowledgeProps) {
  const { data, error, isPending, refetch } = useDocuments(agentId);
  const { uploads, send, dismiss } = useUploads(agentId);
  const remove = useRemoveDocument(agentId);
  const readAgain = useReadAgain(agentId);
  const change = useChangeDocument(agentId);
  const [adding, setAdding] = useState<Adding | null>(null);
  const [removing, setRemoving] = useState<KnowledgeDocument | null>(null);
  const [replacing, setReplacing] = useState<{ document: KnowledgeDocument; file: File } | null>(null);
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const chosenFor = useRef<ChosenFor>('adding');
  const heading = useId();
  const agentNames = new Map(agents.map(({ _id, name }) => [_id, name]));

  const choose = (purpose: ChosenFor) => {
    chosenFor.current = purpose;
    if (files.current) {
      files.current.multiple = purpose === 'adding';
      files.current.click();
    }
  };
  const take = (chosen: readonly File[]) => {
    const purpose = chosenFor.current;
    const [file] = chosen;
    if (purpose === 'adding') return send(chosen);
    if (!file) return;
    if (purpose !== 'trying') return setReplacing({ document: purpose, file });
    onSeeEffect({
      ...ifAdded(file.name, (signal) => previewed(agentId, file, null, signal)),
      make: { label: t('knowledge.addFile'), onMake: () => send([file]) },
    });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    send([...event.dataTransfer.files]);
  };
  const failed = (problem: Error) => toast.error(problem.message);

  const buttons = (
    <>
      <Button variant="secondary" size="sm" onClick={() => choose('adding')}>
        <FileUp aria-hidden="true" />
        {t('knowledge.chooseFiles')}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => choose('trying')}>
        <FileSearch aria-hidden="true" />
        {t('knowledge.tryFile')}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setAdding('text')}>
        <TextCursorInput aria-hidden="true" />
        {t('knowledge.pasteText')}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setAdding('address')}>
        <Globe aria-hidden="true" />
        {t('knowledge.addPage')}
      </Button>
      {agents.length > 1 && (
        <Button variant="secondary" size="sm" onClick={() => setAdding('shared')}>
          <Share2 aria-hidden="true" />
          {t('knowledge.fromAgent')}
        </Button>
      )}
    </>
  );
  const isEmpty = data?.length === 0 && uploads.length === 0;

  return (
    <section
      aria-labelledby={heading}
      className="mt-6"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Card className={cn('overflow-hidden transition-colors', over && 'border-accent bg-accent-soft')}>
        <div className="flex flex-col gap-4 px-5 pt-5 pb-4 sm:px-6 lg:flex-row lg:items-start lg:justify-between">
          <div>
            <CardTitle id={heading}>{t('knowledge.title')}</CardTitle>
            <p className="mt-1 text-ink-muted text-sm">
              {isEmpty || !data ? t('knowledge.text') : t('knowledge.textCounted', { count: data.length })}
            </p>
          </div>
          {!isEmpty && <div className="flex shrink-0 flex-wrap gap-2.5">{buttons}</div>}
        </div>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          aria-label={t('knowledge.files')}
          onChange={(event) => {
            take([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        {isPending && (
          <div
            role="status"
            aria-label={t('knowledge.loading')}
            className="flex flex-col gap-3 px-5 pb-6 sm:px-6"
          >
            <Skeleton className="h-12 rounded-md" />
            <Skeleton className="h-12 rounded-md" />
          </div>
        )}
        {error && !data && <LoadProblem title={t('knowledge.loadFailed')} error={error} onRetry={refetch} />}
        {isEmpty && (
          <div className="border-line border-t">
            <EmptyState
              icon={<BookOpenText aria-hidden="true" />}
              title={t('knowledge.empty')}
              text={t('knowledge.emptyText')}
            >
              {buttons}
            </EmptyState>
          </div>
        )}
        {uploads.length > 0 && <Uploads uploads={uploads} onDismiss={dismiss} />}
        {data && data.length > 0 && (
          <ul className="max-h-[36rem] overflow-y-auto border-line border-t">
            {data.map((document) => (
              <DocumentRow
                key={document._id}
                document={document}
                sharedWith={document.agentIds
                  .filter((id) => id !== agentId)
                  .flatMap((id) => agentNames.get(id) ?? [])}
                onReadAgain={() => readAgain.mutate(document._id, { onError: failed })}
                onReplace={() => choose(document)}
                onSchedule={(readEveryDays) =>
                  change.mutate({ id: document._id, change: { readEveryDays } }, { onError: failed })
                }
                onRemove={() => setRemoving(document)}
              />
            ))}
          </ul>
        )}
      </Card>
      <AddDialog
        agentId={agentId}
        agentNames={agentNames}
        adding={adding}
        onTry={(documents, title) =>
          onSeeEffect(
            ifAdded(
              title,
              documents && 'url' in documents
                ? (signal) => previewed(agentId, documents, null, signal)
                : { documents },
            ),
          )
        }
        onClose={() => setAdding(null)}
      />
      <AlertDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        question={removing ? t('removal.question', { title: removing.title }) : ''}
        detail={(removing?.agentIds.length ?? 0) > 1 ? t('removal.shared') : t('removal.last')}
        confirm={t('removal.confirm')}
        onConfirm={() => removing && remove.mutate(removing._id, { onError: failed })}
      >
        <SeeChangeButton onClick={() => removing && onSeeEffect(ifRemoved(removing))} />
      </AlertDialog>
      <AlertDialog
        open={replacing !== null}
        onOpenChange={(open) => !open && setReplacing(null)}
        question={
          replacing
            ? t('replacement.question', { title: replacing.document.title, file: replacing.file.name })
            : ''
        }
        detail={
          (replacing?.document.agentIds.length ?? 0) > 1 ? t('replacement.shared') : t('replacement.single')
        }
        confirm={t('replacement.confirm')}
        tone="primary"
        onConfirm={() => replacing && send([replacing.file], replacing.document._id)}
      >
        <SeeChangeButton
          onClick={() => {
            if (!replacing) return;
            const { document, file } = replacing;
            onSeeEffect(ifReplaced(document, (signal) => previewed(agentId, file, document._id, signal)));
          }}
        />
      </AlertDialog>
    </section>
  );
}

function Uploads({ uploads, onDismiss }: { uploads: readonly Upload[]; onDismiss: (id: string) => void }) {
  const failed = uploads.filter(({ problem }) => problem !== null);
  const under = uploads.length - failed.length;
  return (
    <div className="border-line border-t px-5 py-3.5 text-sm sm:px-6">
      {under > 0 && (
        <p role="status" className="flex items-center gap-2.5 text-ink-muted">
          <Spinner className="size-4" />
          {under === 1
            ? t('uploads.one', { file: uploads.find(({ problem }) => problem === null)?.name ?? '' })
            : t('uploads.many', { count: under })}
        </p>
      )}
      {failed.map(({ id, name, problem }) => (
        <p key={id} role="alert" className="flex items-center gap-2.5 py-1 text-urgent-text">
          <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
          <span className="wrap-anywhere min-w-0 flex-1">
            {name}: {problem}
          </span>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('uploads.dismiss', { name })}
            onClick={() => onDismiss(id)}
          >
            <X aria-hidden="true" />
          </Button>
        </p>
      ))}
    </div>
  );
}
