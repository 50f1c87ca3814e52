import { FileUp } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { MAX_COMPANY_INFO_CHARACTERS } from '#shared/agents';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { Field } from '#web/ui/forms/field';
import { Textarea } from '#web/ui/forms/textarea';
import { toast } from '#web/ui/layers/toast';
import type { AgentFormValues } from './agent-form-values.ts';
import { CharacterCount } from './character-count.tsx';
import { readTextFile, UnreadableFile } from './read-text-file.ts';

/**
 * Pasted texts of this many characters are inserted at once. Chromium pastes line by line, in quadratic time: 0.3 s for
 * 20,000 characters, 6.7 s for 100,000 (measured).
 */
const LONG_PASTE = 10_000;

/** The company information: typed, pasted, or read from text files that are dropped or chosen. */
export function CompanyInfoField({ form }: { form: UseFormReturn<AgentFormValues> }) {
  const [isOver, setIsOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const { error } = form.getFieldState('companyInfo', form.formState);

  const setText = (text: string) =>
    form.setValue('companyInfo', text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

  const takeOver = async (files: readonly File[]) => {
    for (const file of files) {
      try {
        const text = await readTextFile(file);
        const before = form.getValues('companyInfo').trimEnd();
        setText(before ? `${before}\n\n${text}` : text);
        toast.success(t('companyInfo.added', { file: file.name }));
      } catch (problem) {
        if (!(problem instanceof UnreadableFile)) throw problem;
        toast.error(problem.message);
      }
    }
  };

  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const onDrag = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(event.type !== 'dragleave');
  };
  const onDrop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    void takeOver([...event.dataTransfer.files]);
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n');
    // Some programs put a picture of the text beside the text itself.
    if (files.length > 0 && !text) {
      event.preventDefault();
      void takeOver([...files]);
    } else if (text.length > LONG_PASTE) {
      event.preventDefault();
      const field = event.currentTarget;
      const { value, selectionStart, selectionEnd } = field;
      setText(`${value.slice(0, selectionStart)}${text}${value.slice(selectionEnd)}`);
      const caret = selectionStart + text.length;
      field.setSelectionRange(caret, caret);
    }
  };

  return (
    <div className="flex flex-col gap-1.5">
      <Field label={t('fields.companyInfo')} hint={t('companyInfo.hint')} error={error?.message}>
        {(control) => (
          <Textarea
            {...control}
            {...form.register('companyInfo')}
            rows={4}
            required
            dir="auto"
            // Spell-checking a long document at every key would make typing slow.
            spellCheck={false}
            onDragEnter={onDrag}
            onDragOver={onDrag}
            onDragLeave={onDrag}
            onDrop={onDrop}
            onPaste={onPaste}
            className={cn('min-h-29 resize-y contain-content', isOver && 'border-accent bg-accent-soft')}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex items-center gap-2 text-ink-faint text-sm">
          <Button variant="secondary" size="sm" onClick={() => chooser.current?.click()}>
            <FileUp aria-hidden="true" />
            {t('companyInfo.addFile')}
          </Button>
          <span className="max-sm:hidden">{t('companyInfo.drop')}</span>
        </span>
        <CharacterCount control={form.control} name="companyInfo" max={MAX_COMPANY_INFO_CHARACTERS} />
      </div>
      <input
        ref={chooser}
        type="file"
        accept=".txt,.md,.markdown,text/plain,text/markdown"
        multiple
        hidden
        aria-label={t('companyInfo.file')}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Allows choosing the same file again.
          event.target.value = '';
          void takeOver(files);
        }}
      />
    </div>
  );
}
