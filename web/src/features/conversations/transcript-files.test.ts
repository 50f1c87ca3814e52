import { expect, it } from 'vitest';
import type { ShownConversation } from './api.ts';
import { transcriptFile, transcriptText } from './transcript-files.ts';

const at = new Date(2026, 10, 5, 15, 5).toISOString();
const conversation: ShownConversation = {
  _id: 'conversation-1',
  title: 'Return: "Größe" / 大',
  agentName: 'Sigma',
  metadata: { sentiment: 'negative', duration: 65, created: at },
  messages: [
    { _id: '1', role: 'system', author: { kind: 'agent' }, content: 'You are Sigma.', timestamp: at },
    {
      _id: '2',
      role: 'assistant',
      author: { kind: 'agent' },
      content: 'Hello, how can I help?',
      timestamp: at,
      interrupted: true,
    },
    {
      _id: '3',
      role: 'user',
      author: { kind: 'contact' },
      content: '=HYPERLINK("http://evil.example","win")',
      timestamp: at,
      sentiment: 'urgent',
      audioUrl: '/api/media/1?signature=x',
    },
    {
      _id: '4',
      role: 'assistant',
      author: { kind: 'agent' },
      content: 'Two lines,\nعربي 🙂',
      timestamp: at,
      citations: [{ text: 'Within 45 days.', source: 'Returns' }],
    },
  ],
};

it('writes text for people', () => {
  expect(transcriptText(conversation)).toBe(
    [
      'Return: "Größe" / 大',
      'Nov 5, 2026 3:05 PM · Duration 1:05 · Sentiment Negative · Agent Sigma',
      '',
      '[3:05 PM] AI Assistant (interrupted): Hello, how can I help?',
      '[3:05 PM] You: =HYPERLINK("http://evil.example","win")',
      '[3:05 PM] AI Assistant: Two lines,',
      'عربي 🙂',
      '',
    ].join('\n'),
  );
});

it('writes JSON without what only the agent was told and without signed addresses', () => {
  const { content, mediaType } = transcriptFile(conversation, 'json');
  expect(mediaType).toBe('application/json');
  expect(JSON.parse(content)).toEqual({
    _id: 'conversation-1',
    title: 'Return: "Größe" / 大',
    agentName: 'Sigma',
    metadata: conversation.metadata,
    messages: conversation.messages.slice(1).map(({ audioUrl: _url, ...message }) => message),
  });
});

it('writes CSV that a spreadsheet reads as text: marked as UTF-8, quoted, no formulas', () => {
  const { content } = transcriptFile(conversation, 'csv');
  expect(content).toBe(
    `\ufeff${[
      '"Time","Speaker","Text","Sentiment","Interrupted","Sources"',
      `"${at}","AI Assistant","Hello, how can I help?","","yes",""`,
      `"${at}","You","'=HYPERLINK(""http://evil.example"",""win"")","Urgent","",""`,
      `"${at}","AI Assistant","Two lines,\nعربي 🙂","","","Returns: Within 45 days."`,
    ].join('\r\n')}\r\n`,
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1'])(
  'keeps %j from being a formula',
  (text) => {
    const [message] = conversation.messages;
    if (!message) throw new Error('There is no message.');
    const { content } = transcriptFile(
      {
        ...conversation,
        messages: [{ ...message, role: 'user', author: { kind: 'contact' }, content: text }],
      },
      'csv',
    );
    expect(content).toContain(`"'${text}"`);
  },
);

it('names files after the title and the day', () => {
  const name = (title: string) => transcriptFile({ ...conversation, title }, 'txt').name;
  expect(name('Return Of Headphones')).toBe(`return-of-headphones-${at.slice(0, 10)}.txt`);
  expect(name('Return: "Größe" / 大')).toBe(`return-größe-大-${at.slice(0, 10)}.txt`);
  expect(name('../../etc')).toBe(`etc-${at.slice(0, 10)}.txt`);
  expect(name('???')).toBe(`conversation-${at.slice(0, 10)}.txt`);
});

it('names a colleague, and whoever else spoke', () => {
  const [message] = conversation.messages;
  if (!message) throw new Error('There is no message.');
  const said = (role: 'user' | 'assistant', author: ShownConversation['messages'][number]['author']) => ({
    ...message,
    ...{ role, author, content: 'Hello.' },
  });
  const messages = [
    said('assistant', { kind: 'colleague', name: 'Dana' }),
    said('user', { kind: 'contact', name: 'Bob' }),
  ];
  const lines = transcriptText({ ...conversation, messages })
    .split('\n')
    .slice(3, 5);
  expect(lines).toEqual(['[3:05 PM] Dana: Hello.', '[3:05 PM] Bob: Hello.']);
});

it('names the outcome and whom to get back to where they are known', () => {
  const waiting: ShownConversation = {
    ...conversation,
    outcome: 'handover',
    contact: { name: 'Maria', phone: '0170 1234567' },
  };
  const [, facts, back] = transcriptText(waiting).split('\n');
  expect(facts).toContain(' · Needs a colleague · ');
  expect(back).toBe('Get back to: Name Maria · Phone 0170 1234567');
  expect(JSON.parse(transcriptFile(waiting, 'json').content)).toMatchObject({
    outcome: 'handover',
    contact: { name: 'Maria', phone: '0170 1234567' },
  });
});
