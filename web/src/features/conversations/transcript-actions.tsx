import { AudioLines, Braces, Copy, Download, FileText, Sheet } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { logProblem } from '#web/lib/log';
import { offerFile } from '#web/lib/offer-file';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/layers/dropdown-menu';
import { toast } from '#web/ui/layers/toast';
import { type ShownConversation, useConversation } from './api.ts';
import { TooLongError, wholeRecording } from './listening/whole-recording.ts';
import {
  fileName,
  shownMessages,
  type TranscriptFormat,
  transcriptFile,
  transcriptText,
} from './transcript-files.ts';

/** Exports the conversation: to the clipboard, or as a file to read or to play. */
export function TranscriptActions({ conversation }: { conversation: ShownConversation }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(transcriptText(conversation));
      toast.success(t('transcript.copied'));
    } catch (error) {
      logProblem('The transcript could not be copied.', error);
      toast.error(t('transcript.copyFailed'));
    }
  };
  const saveRecording = useSaveRecording(conversation);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
        {t('transcript.copy')}
      </Button>
      <DropdownMenu
        trigger={
          <Button variant="secondary" size="sm">
            <Download aria-hidden="true" />
            {t('transcript.download')}
          </Button>
        }
      >
        {formats.map(({ format, label, icon }) => (
          <DropdownMenuItem key={format} onSelect={() => save(conversation, format)}>
            {icon}
            {label}
          </DropdownMenuItem>
        ))}
        {conversation.messages.some(({ audioUrl }) => audioUrl) && (
          <DropdownMenuItem onSelect={() => void saveRecording()}>
            <AudioLines aria-hidden="true" />
            {t('transcript.recording')}
          </DropdownMenuItem>
        )}
      </DropdownMenu>
    </>
  );
}

const formats: { format: TranscriptFormat; label: string; icon: React.ReactNode }[] = [
  { format: 'txt', label: t('transcript.text'), icon: <FileText aria-hidden="true" /> },
  { format: 'json', label: 'JSON', icon: <Braces aria-hidden="true" /> },
  { format: 'csv', label: t('transcript.csv'), icon: <Sheet aria-hidden="true" /> },
];

/** Joins the recordings and saves them as one file; leaving the page cancels it. */
function useSaveRecording(conversation: ShownConversation): () => Promise<void> {
  const { refetch } = useConversation(conversation._id);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  return async () => {
    const { signal } = leaving.current;
    const renew = async (id: string) =>
      (await refetch()).data?.messages.find(({ _id }) => _id === id)?.audioUrl ?? null;
    toast.info(t('transcript.preparing'));
    try {
      const { file, missing } = await wholeRecording(shownMessages(conversation), renew, signal);
      offerFile(file, `${fileName(conversation)}.wav`);
      if (missing > 0) toast.info(t('transcript.partsMissing', { missing }));
    } catch (error) {
      if (signal.aborted) return;
      logProblem('The recording could not be put together.', error);
      toast.error(error instanceof TooLongError ? t('transcript.tooLong') : t('transcript.recordingFailed'));
    }
  };
}

function save(conversation: ShownConversation, format: TranscriptFormat): void {
  const { name, mediaType, content } = transcriptFile(conversation, format);
  offerFile(new Blob([content], { type: mediaType }), name);
}
