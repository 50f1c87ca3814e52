import { describe, expect, it } from 'vitest';
import type { AiResponse, AiResponseChunk, ConversationStarted } from '#shared/realtime';
import { type CallAction, callReducer } from './call-reducer.ts';
import { type CallState, canSay, initialCallState, presenceOf, unansweredEntry } from './call-state.ts';

const at = '2026-11-20T12:00:00.000Z';
const demoAgent = { name: 'Sigma', company: 'Northwind' };
const started = (event: Partial<ConversationStarted> = {}): CallAction => ({
  type: 'started',
  at,
  event: {
    conversationId: 'call-1',
    demoAgent,
    welcomeMessage: {
      _id: 'welcome',
      role: 'assistant',
      author: { kind: 'agent' },
      content: 'Hello!',
      timestamp: at,
    },
    ...event,
  },
});
const said = (id = 'mine', text = 'Hi'): CallAction => ({ type: 'said', id, text, at });
const chunk = (index: number, text: string, event: Partial<AiResponseChunk> = {}): CallAction => ({
  type: 'chunk',
  at,
  event: {
    conversationId: 'call-1',
    responseId: 'reply-1',
    author: { kind: 'agent' },
    index,
    text,
    isLast: false,
    ...event,
  },
});
const response = (event: Partial<AiResponse> = {}): CallAction => ({
  type: 'response',
  event: {
    conversationId: 'call-1',
    responseId: 'reply-1',
    messageId: 'message-1',
    author: { kind: 'agent' },
    replyTo: 'stored-1',
    message: 'One. Two.',
    demoAgent,
    timestamp: at,
    ...event,
  },
});
const run = (...actions: CallAction[]): CallState => actions.reduce(callReducer, initialCallState);
const open = (...actions: CallAction[]) => run({ type: 'connected' }, started(), ...actions);
const texts = (state: CallState) => state.entries.map((entry) => `${entry.kind}: ${entry.text}`);

describe('starting', () => {
  it('connects until the conversation is there, then is ready with the welcome', () => {
    expect(presenceOf(run())).toBe('connecting');
    expect(presenceOf(run({ type: 'connected' }))).toBe('connecting');
    const state = open();
    expect(presenceOf(state)).toBe('ready');
    expect(state.agent).toEqual(demoAgent);
    expect(texts(state)).toEqual(['agent: Hello!']);
  });

  it('says why it could not start, and forgets that when it is connected again', () => {
    const failed = run({ type: 'connected' }, { type: 'start-failed', problem: 'No.' });
    expect(failed.problem).toBe('No.');
    expect(callReducer(failed, { type: 'connected' }).problem).toBeNull();
  });

  it('stays "connecting" until the first connection, and is "lost" only after one', () => {
    expect(run({ type: 'connection-lost' }).connection).toBe('connecting');
    expect(open({ type: 'connection-lost' }).connection).toBe('lost');
    expect(presenceOf(open({ type: 'connection-lost' }))).toBe('connecting');
  });
});

describe('what may be sent', () => {
  it('is nothing before the conversation has started', () => {
    expect(canSay(run({ type: 'connected' }), 'Hi')).toBe(false);
    expect(canSay(open(), 'Hi')).toBe(true);
  });

  it('is no blank text', () => {
    expect(canSay(open(), '')).toBe(false);
    expect(canSay(open(), ' \n\t')).toBe(false);
  });

  it('is nothing while an answer is awaited, and again once it or an error has come', () => {
    expect(canSay(open(said()), 'Hi')).toBe(false);
    expect(canSay(open(said(), response()), 'Hi')).toBe(true);
    const error = { message: 'Away.', code: 'unavailable', retryable: true } as const;
    expect(canSay(open(said(), { type: 'error', event: error }), 'Hi')).toBe(true);
    expect(canSay(open(said(), { type: 'waited-too-long' }), 'Hi')).toBe(true);
  });

  it('is nothing after the end', () => {
    expect(canSay(open({ type: 'ended' }), 'Hi')).toBe(false);
    expect(presenceOf(open({ type: 'ended' }))).toBe('ended');
  });
});

describe('a reply', () => {
  it('grows sentence by sentence, in order, whatever the order of arrival', () => {
    const state = open(said(), chunk(1, 'Two.'), chunk(0, 'One.'));
    expect(texts(state)).toEqual(['agent: Hello!', 'customer: Hi', 'agent: One. Two.']);
  });

  it('ends the waiting when it is whole, and carries its sources', () => {
    const citations = [{ source: 'Returns', text: '30 days' }];
    const state = open(said(), chunk(0, 'One.'), response({ citations }));
    expect(state.waiting).toBe(false);
    expect(state.entries.at(-1)).toMatchObject({ text: 'One. Two.', messageId: 'message-1', citations });
    expect(state.entries).toHaveLength(3);
  });

  it('keeps its whole text when a sentence comes after it', () => {
    const state = open(said(), response(), chunk(0, 'One.'), chunk(1, 'Two.'));
    expect(state.entries.at(-1)).toMatchObject({
      text: 'One. Two.',
      sentences: [
        { index: 0, text: 'One.' },
        { index: 1, text: 'Two.' },
      ],
    });
  });

  it('is shown once when it is sent twice', () => {
    const state = open(said(), chunk(0, 'One.'), chunk(0, 'One.'), response(), response());
    expect(state.entries).toHaveLength(3);
    expect(open(said(), response(), response({ responseId: 'another name' })).entries).toHaveLength(3);
  });

  it('says that it came as text because the voice is busy, until one is spoken again', () => {
    const busy = open(said(), response({ voice: 'busy' }));
    expect(busy.voiceBusy).toBe(true);
    expect(callReducer(busy, response({ responseId: 'reply-2', messageId: 'message-2' })).voiceBusy).toBe(
      false,
    );
  });

  it('of another conversation is left out', () => {
    const other = { conversationId: 'call-2' };
    expect(open(chunk(0, 'One.', other), response(other)).entries).toHaveLength(1);
  });

  it('that was called off for what the customer wrote next is not shown, and the answer is waited for', () => {
    const state = open(
      said('one', 'Hi'),
      said('two', 'About returns'),
      response({ message: '', interrupted: true }),
    );
    expect(texts(state)).toEqual(['agent: Hello!', 'customer: Hi', 'customer: About returns']);
    expect(state.waiting).toBe(true);
  });

  it('that says nothing is not shown when a call goes on', () => {
    const silent = {
      _id: 'r',
      role: 'assistant' as const,
      author: { kind: 'agent' as const },
      content: '',
      timestamp: at,
    };
    const moment = {
      _id: 'm',
      role: 'user' as const,
      author: { kind: 'contact' as const },
      content: 'One moment.',
      timestamp: at,
    };
    const state = run({ type: 'connected' }, started({ messages: [moment, silent] }));
    expect(texts(state)).toEqual(['customer: One moment.']);
  });

  it('that was interrupted grows no more and shows what is stored of it', () => {
    const state = open(
      said(),
      chunk(0, 'One.'),
      { type: 'interrupted', replyId: 'reply-1', interrupted: true },
      chunk(1, 'Two.'),
      response({ message: 'One', interrupted: true }),
      { type: 'interrupted', replyId: 'reply-1', interrupted: true, text: 'One' },
    );
    expect(state.entries.at(-1)).toMatchObject({ text: 'One', interrupted: true });
  });
});

describe('presence', () => {
  const speak = { type: 'sentence-started', replyId: 'reply-1', index: 0 } as const;

  it('thinks while an answer is awaited or prepared', () => {
    expect(presenceOf(open(said()))).toBe('thinking');
    expect(presenceOf(open({ type: 'typing', typing: true }))).toBe('thinking');
    expect(presenceOf(open({ type: 'typing', typing: true }, { type: 'typing', typing: false }))).toBe(
      'ready',
    );
  });

  it('speaks while a sentence is heard', () => {
    expect(presenceOf(open(said(), speak))).toBe('speaking');
    expect(presenceOf(open(speak, { type: 'sentence-ended', replyId: 'reply-1', index: 0 }))).toBe('ready');
    expect(presenceOf(open(speak, { type: 'reply-ended', replyId: 'reply-1' }))).toBe('ready');
  });

  it('is not ready again between two sentences, unless sound is refused', () => {
    const voicing: CallAction[] = [
      { type: 'reply-started', replyId: 'reply-1' },
      speak,
      { type: 'sentence-ended', replyId: 'reply-1', index: 0 },
    ];
    expect(presenceOf(open(...voicing))).toBe('thinking');
    expect(presenceOf(open(...voicing, { type: 'sound-blocked', blocked: true }))).toBe('ready');
    expect(presenceOf(open(...voicing, { type: 'reply-ended', replyId: 'reply-1' }))).toBe('ready');
  });

  it('goes on speaking when an earlier sentence is reported ended late', () => {
    const next = { ...speak, index: 1 };
    expect(open(speak, next, { type: 'sentence-ended', replyId: 'reply-1', index: 0 }).speaking).toEqual({
      replyId: 'reply-1',
      index: 1,
    });
  });
});

describe('delivery', () => {
  const delivery = (state: CallState) =>
    state.entries.flatMap((entry) => (entry.kind === 'customer' ? [entry.delivery] : []));

  it('shows what was stored, where something was left out', () => {
    const masked = open(said('mine', 'Card 4111'), {
      type: 'stored',
      id: 'mine',
      text: 'Card [card number]',
    });
    expect(masked.entries.at(-1)).toMatchObject({ text: 'Card [card number]', delivery: 'stored' });
  });

  it('is sending until it is stored', () => {
    expect(delivery(open(said()))).toEqual(['sending']);
    expect(delivery(open(said(), { type: 'stored', id: 'mine', text: 'Hi' }))).toEqual(['stored']);
  });

  it('fails with a reason and can be tried again', () => {
    const failed = open(said(), { type: 'refused', id: 'mine', problem: 'Too long.' });
    expect(failed.entries.at(-1)).toMatchObject({ delivery: 'failed', problem: 'Too long.' });
    expect(failed.waiting).toBe(false);
    const again = callReducer(failed, { type: 'saying-again', id: 'mine' });
    expect(delivery(again)).toEqual(['sending']);
    expect(again.waiting).toBe(true);
  });

  it('stays unanswered when the answer fails', () => {
    const error = {
      message: 'Away.',
      code: 'unavailable',
      retryable: true,
      conversationId: 'call-1',
    } as const;
    const stored = open(said(), { type: 'stored', id: 'mine', text: 'Hi' });
    expect(delivery(callReducer(stored, { type: 'error', event: error }))).toEqual(['unanswered']);
    const named = { ...error, clientMessageId: 'mine' };
    expect(delivery(open(said(), { type: 'error', event: named }))).toEqual(['unanswered']);
    expect(
      delivery(callReducer(stored, { type: 'error', event: { ...error, conversationId: 'call-2' } })),
    ).toEqual(['stored']);
  });
});

describe('going on after a reconnect', () => {
  const before = open(said('mine', 'Hi'), { type: 'stored', id: 'mine', text: 'Hi' }, said('unsent', 'And?'));
  const welcome = {
    _id: 'welcome',
    role: 'assistant',
    author: { kind: 'agent' },
    content: 'Hello!',
    timestamp: at,
  } as const;
  const mine = {
    _id: 'stored-1',
    role: 'user',
    author: { kind: 'contact' },
    content: 'Hi',
    timestamp: at,
    clientMessageId: 'mine',
  } as const;
  const answer = {
    _id: 'message-1',
    role: 'assistant',
    author: { kind: 'agent' },
    content: 'One. Two.',
    timestamp: at,
  } as const;

  it('takes the answer it missed from the server and keeps what was not sent at the end', () => {
    const state = callReducer(
      before,
      started({ welcomeMessage: undefined, messages: [welcome, mine, answer] }),
    );
    expect(texts(state)).toEqual(['agent: Hello!', 'customer: Hi', 'agent: One. Two.', 'customer: And?']);
    expect(state.waiting).toBe(true);
  });

  it('knows its own message by the id it gave it', () => {
    const unsent = { ...mine, _id: 'stored-2', content: 'And?', clientMessageId: 'unsent' };
    const state = callReducer(
      before,
      started({ welcomeMessage: undefined, messages: [welcome, mine, unsent] }),
    );
    expect(texts(state)).toEqual(['agent: Hello!', 'customer: Hi', 'customer: And?']);
    expect(state.entries.at(-1)).toMatchObject({ id: 'unsent', delivery: 'stored' });
  });

  it('stops waiting when the answer is already there', () => {
    const waiting = open(said('mine', 'Hi'));
    const state = callReducer(
      waiting,
      started({ welcomeMessage: undefined, messages: [welcome, mine, answer] }),
    );
    expect(state.waiting).toBe(false);
  });

  it('asks again only for a message that the server knows by our id', () => {
    const resumed = (message: object) =>
      run({ type: 'connected' }, started({ welcomeMessage: undefined, messages: [{ ...mine, ...message }] }));
    expect(unansweredEntry(resumed({}))?.id).toBe('mine');
    expect(unansweredEntry(resumed({ clientMessageId: undefined }))).toBeNull();
  });

  it('shows what another tab said once', () => {
    const elsewhere: CallAction = { type: 'said-elsewhere', message: { ...mine, clientMessageId: 'other' } };
    expect(texts(open(elsewhere, elsewhere))).toEqual(['agent: Hello!', 'customer: Hi']);
  });
});
