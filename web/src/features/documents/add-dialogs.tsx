import { ScanSearch } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { NewDocument } from '#shared/documents';
import type { EffectRequest } from '#shared/effects';
import { t } from '#web/texts/documents';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Input } from '#web/ui/forms/input';
import { Textarea } from '#web/ui/forms/textarea';
import { Dialog } from '#web/ui/layers/dialog';
import { Skeleton } from '#web/ui/skeleton';
import { useAddDocument, useAllDocuments } from './api.ts';
import { SeeChangeButton } from './see-change-button.tsx';

/** The open form for adding. */
export type Adding = 'text' | 'address' | 'shared';

interface AddDialogProps {
  agentId: string;
  agentNames: ReadonlyMap<string, string>;
  adding: Adding | null;
  /** Shows the agent's answers with a document of this title; a page is read first. */
  onTry: (documents: EffectRequest['documents'] | { url: string }, title: string) => void;
  onClose: () => void;
}

/** Adds a text, an address, or a document of another agent. */
export function AddDialog({ agentId, agentNames, adding, onTry, onClose }: AddDialogProps) {
  const add = useAddDocument(agentId);
  const close = () => {
    add.reset();
    onClose();
  };
  const submit = (what: NewDocument) => add.mutate(what, { onSuccess: close });
  const words = adding === null ? null : headings[adding];
  return (
    <Dialog
      open={adding !== null}
      onOpenChange={(open) => !open && close()}
      title={words?.title ?? ''}
      description={words?.text ?? ''}
    >
      {add.error && (
        <Banner tone="error" role="alert" className="mt-4">
          {add.error.message}
        </Banner>
      )}
      {adding === 'text' && <TextForm busy={add.isPending} onSubmit={submit} onTry={onTry} />}
      {adding === 'address' && <AddressForm busy={add.isPending} onSubmit={submit} onTry={onTry} />}
      {adding === 'shared' && (
        <SharedList
          agentId={agentId}
          agentNames={agentNames}
          busy={add.isPending}
          onSubmit={submit}
          onTry={onTry}
        />
      )}
    </Dialog>
  );
}

const headings: Record<Adding, { title: string; text: string }> = {
  text: { title: t('add.text'), text: t('add.textHint') },
  address: {
    title: t('add.page'),
    text: t('add.pageHint'),
  },
  shared: {
    title: t('add.shared'),
    text: t('add.sharedHint'),
  },
};

interface FormProps {
  busy: boolean;
  onSubmit: (what: NewDocument) => void;
}

function TextForm({ busy, onSubmit, onTry }: FormProps & Pick<AddDialogProps, 'onTry'>) {
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ title, text });
  };
  return (
    <form onSubmit={send} className="mt-5 flex min-h-0 flex-col gap-4 overflow-y-auto">
      <Field label={t('add.titleLabel')}>
        {(control) => (
          <Input
            {...control}
            value={title}
            required
            maxLength={200}
            onChange={(e) => setTitle(e.target.value)}
          />
        )}
      </Field>
      <Field label={t('add.textLabel')}>
        {(control) => (
          <Textarea {...control} rows={9} value={text} required onChange={(e) => setText(e.target.value)} />
        )}
      </Field>
      <div className="flex flex-col-reverse gap-2.5 sm:flex-row sm:justify-end">
        <SeeChangeButton
          onClick={({ currentTarget }) =>
            currentTarget.form?.reportValidity() && onTry({ add: [{ title, text }] }, title)
          }
        />
        <Button type="submit" busy={busy}>
          {t('add.addText')}
        </Button>
      </div>
    </form>
  );
}

function AddressForm({ busy, onSubmit, onTry }: FormProps & Pick<AddDialogProps, 'onTry'>) {
  const [url, setUrl] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ url });
  };
  return (
    <form onSubmit={send} className="mt-5 flex flex-col gap-4">
      <Field label={t('add.address')}>
        {(control) => (
          <Input
            {...control}
            inputMode="url"
            placeholder={t('add.addressExample')}
            value={url}
            required
            onChange={(e) => setUrl(e.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-col-reverse gap-2.5 sm:flex-row sm:justify-end">
        <SeeChangeButton
          onClick={({ currentTarget }) =>
            currentTarget.form?.reportValidity() && onTry({ url: url.trim() }, url.trim())
          }
        />
        <Button type="submit" busy={busy}>
          {t('add.addPage')}
        </Button>
      </div>
    </form>
  );
}

function SharedList({
  agentId,
  agentNames,
  busy,
  onSubmit,
  onTry,
}: FormProps & Pick<AddDialogProps, 'agentId' | 'agentNames' | 'onTry'>) {
  const { data, error } = useAllDocuments(true);
  if (error) return <p className="mt-5 text-sm text-urgent-text">{error.message}</p>;
  if (!data) return <Skeleton className="mt-5 h-24 rounded-md" />;
  const others = data.filter(({ agentIds }) => !agentIds.includes(agentId));
  if (others.length === 0) return <p className="mt-5 text-ink-muted text-sm">{t('add.nothingToShare')}</p>;
  return (
    <ul className="mt-5 flex min-h-0 flex-col overflow-y-auto">
      {others.map(({ _id, title, agentIds, passages }) => (
        <li
          key={_id}
          className="flex items-center justify-between gap-3 border-line border-t py-2.5 first:border-t-0"
        >
          <span className="min-w-0">
            <span dir="auto" className="block truncate font-medium text-sm">
              {title}
            </span>
            <span className="block truncate text-ink-faint text-xs">
              {[
                t('passages', { count: passages }),
                ...agentIds.flatMap((id) => agentNames.get(id) ?? []),
              ].join(' · ')}
            </span>
          </span>
          <span className="flex shrink-0 gap-1">
            <Button
              variant="ghost"
              size="icon-sm"
              title={t('seeChange')}
              aria-label={t('add.seeChangeWith', { title })}
              onClick={() => onTry({ share: [_id] }, title)}
            >
              <ScanSearch aria-hidden="true" />
            </Button>
            <Button
              variant="secondary"
              size="sm"
              disabled={busy}
              aria-label={t('add.shareNamed', { title })}
              onClick={() => onSubmit({ documentId: _id })}
            >
              {t('add.share')}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}
