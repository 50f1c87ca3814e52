import { formatClock, formatDateTime, formatTime } from '#web/lib/formats';
import { t } from '#web/texts/conversations';
import { contactParts } from '#web/ui/conversation/contact-details';
import { outcomeNames } from '#web/ui/conversation/outcome-badge';
import { sentimentNames } from '#web/ui/conversation/sentiment-badge';
import type { ShownConversation, ShownMessage } from './api.ts';

export type TranscriptFormat = 'txt' | 'json' | 'csv';

/** A transcript as a file: its name and content. */
interface TranscriptFile {
  name: string;
  mediaType: string;
  content: string;
}

/** The speaker's name, as shown everywhere. */
export const speakerOf = ({ role, author }: Pick<ShownMessage, 'role' | 'author'>) =>
  author.name ?? (role === 'user' ? t('speakers.you') : t('speakers.assistant'));

/**
 * The visible messages: without those meant only for the agent, and without empty answers to a request for a moment.
 */
export const shownMessages = ({ messages }: ShownConversation) =>
  messages.filter(({ role, content, interrupted }) => role !== 'system' && (content !== '' || interrupted));

export function transcriptFile(conversation: ShownConversation, format: TranscriptFormat): TranscriptFile {
  const content = { txt: transcriptText, json: transcriptJson, csv: transcriptCsv }[format](conversation);
  return { name: `${fileName(conversation)}.${format}`, mediaType: mediaTypes[format], content };
}

const mediaTypes: Record<TranscriptFormat, string> = {
  txt: 'text/plain;charset=utf-8',
  json: 'application/json',
  csv: 'text/csv;charset=utf-8',
};

/** For reading and for the clipboard. */
export function transcriptText(conversation: ShownConversation): string {
  const { title, agentName, metadata, outcome } = conversation;
  const facts = [
    formatDateTime(metadata.created),
    t('file.duration', { length: formatClock(metadata.duration) }),
    t('file.sentiment', { sentiment: sentimentNames[metadata.sentiment] }),
    ...(outcome && outcome !== 'social' ? [outcomeNames[outcome]] : []),
    ...(agentName ? [t('file.agent', { agent: agentName })] : []),
  ];
  const said = shownMessages(conversation).map((message) => {
    return t(message.interrupted ? 'file.saidInterrupted' : 'file.said', {
      time: formatTime(message.timestamp),
      speaker: speakerOf(message),
      text: message.content,
    });
  });
  const left = contactParts(conversation.contact).map(({ name, text }) => `${name} ${text}`);
  const back = left.length > 0 ? [t('file.contact', { contact: left.join(' · ') })] : [];
  return `${[title, facts.join(' · '), ...back, '', ...said].join('\n')}\n`;
}

/** For programs. Omits the addresses of recordings, which are signed for one person and a short time. */
function transcriptJson(conversation: ShownConversation): string {
  const { _id, title, agentId, agentName, outcome, contact, metadata } = conversation;
  const messages = shownMessages(conversation).map(({ audioUrl: _signed, ...message }) => message);
  return `${JSON.stringify({ _id, title, agentId, agentName, outcome, contact, metadata, messages }, null, 2)}\n`;
}

/**
 * For spreadsheets: RFC 4180 with a byte order mark, by which Excel recognises UTF-8. A cell that a spreadsheet would
 * take for a formula gets an apostrophe in front (OWASP, "CSV Injection").
 */
function transcriptCsv(conversation: ShownConversation): string {
  const rows = shownMessages(conversation).map((message) => [
    message.timestamp,
    speakerOf(message),
    message.content,
    message.sentiment ? sentimentNames[message.sentiment] : '',
    message.interrupted ? t('file.yes') : '',
    (message.citations ?? []).map(({ source, text }) => `${source}: ${text}`).join('\n'),
  ]);
  const head = [
    t('file.columns.time'),
    t('file.columns.speaker'),
    t('file.columns.text'),
    t('file.columns.sentiment'),
    t('file.columns.interrupted'),
    t('file.columns.sources'),
  ];
  return `\ufeff${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const harmless = /^[\s\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/**
 * A file name without its ending: "return-of-headphones-2026-11-20": letters of every script, without characters that
 * file systems refuse.
 */
export function fileName({ title, metadata }: ShownConversation): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(metadata.created)?.[0];
  return [words || 'conversation', ...(day ? [day] : [])].join('-');
}
