import { Braces, Copy, Download, FileText, Sheet } from 'lucide-react';
import { logProblem } from '#web/lib/log';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/dropdown-menu';
import { toast } from '#web/ui/toast';
import type { ShownConversation } from './api.ts';
import { type TranscriptFormat, transcriptFile, transcriptText } from './transcript-files.ts';

/** Takes what was said along: on the clipboard or as a file. */
export function TranscriptActions({ conversation }: { conversation: ShownConversation }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(transcriptText(conversation));
      toast.success('Transcript copied.');
    } catch (error) {
      logProblem('The transcript could not be copied.', error);
      toast.error('The browser did not allow copying. Download the transcript instead.');
    }
  };
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
        Copy
      </Button>
      <DropdownMenu
        trigger={
          <Button variant="secondary" size="sm">
            <Download aria-hidden="true" />
            Download
          </Button>
        }
      >
        {formats.map(({ format, label, icon }) => (
          <DropdownMenuItem key={format} onSelect={() => save(conversation, format)}>
            {icon}
            {label}
          </DropdownMenuItem>
        ))}
      </DropdownMenu>
    </>
  );
}

const formats: { format: TranscriptFormat; label: string; icon: React.ReactNode }[] = [
  { format: 'txt', label: 'Text', icon: <FileText aria-hidden="true" /> },
  { format: 'json', label: 'JSON', icon: <Braces aria-hidden="true" /> },
  { format: 'csv', label: 'CSV for spreadsheets', icon: <Sheet aria-hidden="true" /> },
];

function save(conversation: ShownConversation, format: TranscriptFormat): void {
  const { name, mediaType, content } = transcriptFile(conversation, format);
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; the memory is given back.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
