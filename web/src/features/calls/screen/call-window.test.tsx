import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Toaster, toast } from '#web/ui/layers/toast';
import { type CallAction, callReducer } from '../state/call-reducer.ts';
import { type CallState, initialCallState } from '../state/call-state.ts';
import type { Call } from '../use-call.ts';
import { CallWindow } from './call-window.tsx';
import { EngineNote } from './engine-note.tsx';

const at = new Date(2026, 10, 20, 15, 5).toISOString();
const demoAgent = { name: 'Sigma', company: 'Northwind' };
const opening: CallAction[] = [
  { type: 'connected' },
  {
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
    },
  },
];
const reply: CallAction[] = [
  { type: 'said', id: 'mine', text: 'Can I return it?', at },
  { type: 'stored', id: 'mine', text: 'Can I return it?' },
  {
    type: 'chunk',
    at,
    event: {
      conversationId: 'call-1',
      responseId: 'reply-1',
      author: { kind: 'agent' },
      index: 0,
      text: 'You can.',
      isLast: false,
    },
  },
  {
    type: 'chunk',
    at,
    event: {
      conversationId: 'call-1',
      responseId: 'reply-1',
      author: { kind: 'agent' },
      index: 1,
      text: 'Within 30 days.',
      isLast: true,
    },
  },
  {
    type: 'response',
    event: {
      conversationId: 'call-1',
      responseId: 'reply-1',
      messageId: 'message-1',
      author: { kind: 'agent' },
      replyTo: 'stored-1',
      message: 'You can. Within 30 days.',
      demoAgent,
      timestamp: at,
      citations: [{ source: 'Returns', text: 'Items can be returned within 30 days.' }],
    },
  },
];
const talking: CallAction[] = [
  { type: 'mic-opening', mode: 'push-to-talk' },
  { type: 'mic-open', deviceId: 'built-in', at: 0 },
];
const listening: CallAction[] = [
  { type: 'mic-opening', mode: 'hands-free' },
  { type: 'mic-open', deviceId: 'built-in', at: 0 },
];
const devices = [
  { deviceId: 'built-in', label: 'Built-in' },
  { deviceId: 'headset', label: 'Headset' },
];
const stateAfter = (...actions: CallAction[]): CallState => actions.reduce(callReducer, initialCallState);

function show(
  state: CallState,
  options: { voiceOn?: boolean; ending?: boolean; hindrance?: Call['hindrance'] } = {},
) {
  const call = {
    state,
    say: vi.fn(() => true),
    sayAgain: vi.fn(),
    interrupt: vi.fn(),
    canReplay: (id: string) => id === 'reply-1',
    replay: vi.fn(),
    allowSound: vi.fn(),
    retryStart: vi.fn(),
    end: vi.fn(),
    level: () => 0,
    micLevel: () => 0,
    startTalking: vi.fn(),
    finishTalking: vi.fn(),
    cancelTalking: vi.fn(),
    chooseMicrophone: vi.fn(),
    dismissTalkProblem: vi.fn(),
    hindrance: options.hindrance ?? { 'push-to-talk': null, 'hands-free': null },
  } satisfies Call;
  const onVoice = vi.fn();
  const onEnd = vi.fn();
  const onNewCall = vi.fn();
  const element = (shown: CallState) => (
    <CallWindow
      call={{ ...call, state: shown }}
      agent={{ name: 'Sigma', company: 'Northwind' }}
      back={<a href="/conversations">Back</a>}
      note={null}
      notice="You are talking with an AI agent."
      suggestions={['What are your opening hours?']}
      draftKey="draft"
      voiceOn={options.voiceOn ?? true}
      onVoice={onVoice}
      onEnd={onEnd}
      ending={options.ending ?? false}
      onNewCall={onNewCall}
    />
  );
  const { rerender } = render(element(state));
  return { call, onVoice, onEnd, onNewCall, update: (next: CallState) => rerender(element(next)) };
}

/** The toasts in the corner. */
const toasts = () => {
  render(<Toaster />);
  const corner = screen.getByRole('region', { name: 'Notifications' });
  return [...corner.querySelectorAll('[role]')].map((each) => each.textContent);
};
beforeEach(() => toast.clear());
const stage = () => within(screen.getByRole('region', { name: 'Agent' }));
const transcript = () => within(screen.getByRole('region', { name: 'Transcript' }));

describe('what the agent is doing', () => {
  const speaking: CallAction = { type: 'sentence-started', replyId: 'reply-1', index: 1 };

  it.each([
    ['Connecting…', []],
    ['Ready', opening],
    ['Thinking…', [...opening, { type: 'said', id: 'mine', text: 'Hi', at }]],
    ['Speaking', [...opening, ...reply, speaking]],
    ['Reconnecting…', [...opening, { type: 'connection-lost' }]],
    ['Listening', [...opening, ...talking]],
    ['Listening', [...opening, ...talking, { type: 'speaking', isSpeaking: true }]],
    ['Thinking…', [...opening, ...talking, { type: 'mic-finishing' }]],
    ['Call ended', [...opening, { type: 'ended' }]],
  ] satisfies [string, CallAction[]][])('is told as %s', (name, actions) => {
    show(stateAfter(...actions));
    expect(stage().getByRole('status')).toHaveTextContent(name);
  });

  it('lights up the sentence that is being heard', () => {
    show(stateAfter(...opening, ...reply, speaking));
    const heard = transcript().getByText('Within 30 days.');
    expect(heard).toHaveAttribute('data-spoken', 'true');
    expect(transcript().getByText('You can.')).not.toHaveAttribute('data-spoken');
    expect(stage().getByText('Within 30 days.')).toBeInTheDocument();
  });
});

describe('the words', () => {
  it('say who spoke and when, and quote their source on demand', async () => {
    show(stateAfter(...opening, ...reply));
    const said = transcript().getAllByRole('article');
    expect(said.map((each) => each.querySelector('header')?.textContent)).toEqual([
      'Sigma3:05 PM',
      'You3:05 PM',
      'Sigma3:05 PM',
    ]);
    expect(screen.queryByText('Items can be returned within 30 days.')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: '1 source' }));
    expect(screen.getByText('Items can be returned within 30 days.')).toBeVisible();
  });

  it('name a colleague who answers in the place of the agent', () => {
    const author = { kind: 'colleague' as const, name: 'Dana' };
    const colleagues = reply.map((action) =>
      action.type === 'chunk' || action.type === 'response'
        ? ({ ...action, event: { ...action.event, author } } as CallAction)
        : action,
    );
    show(stateAfter(...opening, ...colleagues));
    expect(transcript().getAllByRole('article').at(-1)?.querySelector('header')).toHaveTextContent('Dana');
  });

  it('can be heard again where there is sound', async () => {
    const { call } = show(stateAfter(...opening, ...reply));
    await userEvent.click(screen.getByRole('button', { name: 'Play again' }));
    expect(call.replay).toHaveBeenCalledWith('reply-1');
  });

  it('show that an answer is being prepared', () => {
    show(stateAfter(...opening, { type: 'said', id: 'mine', text: 'Hi', at }));
    expect(screen.getByText('Sigma is preparing an answer')).toBeInTheDocument();
  });

  it('are announced once a reply is whole', () => {
    const { update } = show(stateAfter(...opening, ...reply.slice(0, 3)));
    const announcement = document.querySelector('[aria-live="polite"]');
    expect(announcement).toHaveTextContent('');
    update(stateAfter(...opening, ...reply));
    expect(announcement).toHaveTextContent('Sigma: You can. Within 30 days.');
  });

  it('offer to try again what was not sent or not answered, without an alert', async () => {
    const error = { message: 'The model is away.', code: 'unavailable', retryable: true } as const;
    const { call } = show(stateAfter(...opening, ...reply.slice(0, 2), { type: 'error', event: error }));
    expect(screen.getByText('Not answered.')).toBeVisible();
    expect(screen.queryByText('The model is away.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(call.sayAgain).toHaveBeenCalledWith('mine');
  });

  it('say so when nothing of an answer was heard', () => {
    show(
      stateAfter(...opening, ...reply, {
        type: 'interrupted',
        replyId: 'reply-1',
        interrupted: true,
        text: '',
      }),
    );
    expect(screen.getByText('You heard nothing of this answer.')).toBeVisible();
  });
});

describe('what can be done', () => {
  it('offers first questions until one is asked', async () => {
    const { call, update } = show(stateAfter(...opening));
    await userEvent.click(screen.getByRole('button', { name: 'What are your opening hours?' }));
    expect(call.say).toHaveBeenCalledWith('What are your opening hours?');
    update(stateAfter(...opening, ...reply));
    expect(screen.queryByRole('button', { name: 'What are your opening hours?' })).toBeNull();
  });

  it('offers none before the call has started', () => {
    show(stateAfter());
    expect(screen.getByRole('button', { name: 'What are your opening hours?' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'End Call' })).toBeDisabled();
  });

  it('stops the agent with Escape and with the button', async () => {
    const { call } = show(
      stateAfter(
        ...opening,
        ...reply,
        { type: 'reply-started', replyId: 'reply-1' },
        { type: 'sentence-started', replyId: 'reply-1', index: 0 },
      ),
    );
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Stop speaking' }));
    expect(call.interrupt).toHaveBeenCalledTimes(2);
  });

  it('asks for a tap when the browser makes no sound without one', async () => {
    const { call } = show(stateAfter(...opening, { type: 'sound-blocked', blocked: true }));
    await userEvent.click(screen.getByRole('button', { name: 'Tap to hear' }));
    expect(call.allowSound).toHaveBeenCalled();
  });

  it('turns the voice off and on', async () => {
    const { onVoice } = show(stateAfter(...opening));
    const mute = screen.getByRole('button', { name: 'Mute the agent' });
    expect(mute).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(mute);
    expect(onVoice).toHaveBeenCalledWith(false);
  });

  it('hangs up', async () => {
    const { onEnd } = show(stateAfter(...opening));
    await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
    expect(onEnd).toHaveBeenCalled();
  });
});

describe('trouble', () => {
  it('tells quietly of a lost connection', () => {
    show(stateAfter(...opening, { type: 'connection-lost' }));
    expect(screen.getByText('Connection lost. Reconnecting…')).toBeInTheDocument();
  });

  it('says why a call could not be started and tries again', async () => {
    const { call } = show(
      stateAfter({ type: 'connected' }, { type: 'start-failed', problem: 'Sigma is restarting.' }),
    );
    expect(screen.getByRole('alert')).toHaveTextContent('Sigma is restarting.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(call.retryStart).toHaveBeenCalled();
  });

  it('offers a new call when this one was ended elsewhere', async () => {
    const { onNewCall } = show(stateAfter(...opening, { type: 'ended' }));
    expect(screen.getByText('This call has ended.')).toBeVisible();
    expect(screen.getByPlaceholderText('Type your message...')).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Start New Call' }));
    expect(onNewCall).toHaveBeenCalled();
  });
});

describe('reading back', () => {
  it('is left alone: something new only shows a pill that leads to it', async () => {
    const { update } = show(stateAfter(...opening, ...reply.slice(0, 2)));
    const scroller = screen.getByRole('region', { name: 'Transcript' });
    Object.defineProperties(scroller, {
      scrollHeight: { configurable: true, value: 2_000 },
      clientHeight: { configurable: true, value: 400 },
    });
    scroller.scrollTop = 100;
    act(() => void scroller.dispatchEvent(new Event('scroll')));
    update(stateAfter(...opening, ...reply));
    expect(scroller.scrollTop).toBe(100);
    await userEvent.click(screen.getByRole('button', { name: 'New message' }));
    expect(scroller.scrollTop).toBe(2_000);
    expect(screen.queryByRole('button', { name: 'New message' })).toBeNull();
  });

  it('ends when one writes something', () => {
    const { update } = show(stateAfter(...opening));
    const scroller = screen.getByRole('region', { name: 'Transcript' });
    Object.defineProperties(scroller, {
      scrollHeight: { configurable: true, value: 2_000 },
      clientHeight: { configurable: true, value: 400 },
    });
    scroller.scrollTop = 100;
    act(() => void scroller.dispatchEvent(new Event('scroll')));
    update(stateAfter(...opening, ...reply.slice(0, 1)));
    expect(scroller.scrollTop).toBe(2_000);
    expect(screen.queryByRole('button', { name: 'New message' })).toBeNull();
  });
});

it('says before anything else that a machine answers', () => {
  show(stateAfter(...opening));
  const first = within(screen.getByRole('region', { name: 'Transcript' })).getAllByRole('listitem')[0];
  expect(first).toHaveTextContent('You are talking with an AI agent.');
});

it('says once that answers come as text while the voice is busy', () => {
  const busy = reply.map((action) =>
    action.type === 'response' ? { ...action, event: { ...action.event, voice: 'busy' as const } } : action,
  );
  const { update } = show(stateAfter(...opening, ...busy));
  expect(screen.getAllByText(/Answers come as text/)).toHaveLength(1);
  const spoken = reply.map((action) =>
    action.type === 'response'
      ? { ...action, event: { ...action.event, responseId: 'reply-2', messageId: 'message-2' } }
      : action,
  );
  update(stateAfter(...opening, ...busy, ...spoken.slice(-1)));
  expect(screen.queryByText(/Answers come as text/)).toBeNull();
});

describe('the engines', () => {
  const ready = { state: 'ready', message: 'Ready.' } as const;
  const brain = { name: 'Grounded responder', kind: 'grounded', status: ready } as const;
  const ears = { name: 'Moonshine', status: ready } as const;
  const policy = { retentionDays: null, audioStaysHere: false };

  it('name the brain and the voice', () => {
    render(<EngineNote status={{ brain, ears, policy, voice: { name: 'Piper', status: ready } }} />);
    expect(screen.getByText('Grounded responder')).toBeVisible();
    expect(screen.getByText('Piper')).toBeInTheDocument();
  });

  it('tell how far the voice has been fetched', () => {
    const status = { state: 'fetching', progress: 0.437, message: 'Fetching.' } as const;
    render(<EngineNote status={{ brain, ears, policy, voice: { name: 'Piper', status } }} />);
    expect(screen.getByText('Downloading the voice: 43%')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Download of the voice' })).toHaveAttribute(
      'aria-valuenow',
      '43',
    );
  });

  it('say what is wrong with the voice', () => {
    const status = { state: 'failed', message: 'The voice could not be loaded. Text works.' } as const;
    render(<EngineNote status={{ brain, ears, policy, voice: { name: 'Piper', status } }} />);
    expect(screen.getByText('The voice could not be loaded. Text works.')).toBeVisible();
  });
});

describe('speaking', () => {
  const microphone = () => screen.getByRole('button', { name: 'Microphone' });
  const composer = () => screen.getByLabelText('Message').closest('form') ?? document.body;

  it('begins with the microphone and ends with it', async () => {
    const { call, update } = show(stateAfter(...opening));
    expect(microphone()).toHaveAttribute('aria-pressed', 'false');
    await userEvent.click(microphone());
    expect(call.startTalking).toHaveBeenCalledWith('push-to-talk');
    update(stateAfter(...opening, ...talking));
    expect(microphone()).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(microphone());
    expect(call.finishTalking).toHaveBeenCalled();
  });

  it('keeps the send button and Enter from sending meanwhile', async () => {
    const { call } = show(stateAfter(...opening, ...talking));
    await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}');
    expect(screen.getByRole('button', { name: 'Send message' })).toBeDisabled();
    expect(call.say).not.toHaveBeenCalled();
  });

  it('lets one write while talking hands-free', async () => {
    const { call } = show(stateAfter(...opening, ...listening));
    await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}');
    expect(call.say).toHaveBeenCalledWith('Hi');
  });

  it('cannot begin before the call has', () => {
    show(stateAfter());
    expect(microphone()).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Talk hands-free' })).toBeDisabled();
  });

  it('shows whether one is heard', () => {
    const { update } = show(stateAfter(...opening, ...listening));
    expect(composer()).toHaveTextContent('Listening');
    update(stateAfter(...opening, ...listening, { type: 'speaking', isSpeaking: true }));
    expect(composer()).toHaveTextContent('Hearing you');
    expect(stage().getByText('Hearing you')).toBeVisible();
    update(stateAfter(...opening, ...listening, { type: 'mic-trouble', trouble: 'silenced' }));
    expect(composer()).toHaveTextContent('No sound');
    expect(screen.getByText(/perhaps a phone call/)).toBeVisible();
  });

  it('shows words as they are understood, and the message in their place without both at once', () => {
    const spoken: CallAction = { type: 'understood', text: 'When do you' };
    const { update } = show(stateAfter(...opening, ...listening, spoken));
    expect(transcript().getByText('When do you')).toBeVisible();
    const message = {
      _id: 'stored-1',
      role: 'user' as const,
      author: { kind: 'contact' as const },
      content: 'When do you open?',
      timestamp: at,
    };
    update(
      stateAfter(
        ...opening,
        ...listening,
        spoken,
        { type: 'turn-committed', message },
        { type: 'understood', text: '' },
      ),
    );
    expect(transcript().getAllByText(/^When do you/)).toHaveLength(1);
  });

  it('tells a screen reader how a spoken message was understood', () => {
    show(stateAfter(...opening, { type: 'said', id: 'mine', text: 'When do you open?', at, isSpoken: true }));
    expect(document.querySelector('[aria-live="polite"]')).toHaveTextContent('You said: When do you open?');
  });

  it('hands-free is turned on and off with one button, and the next call begins that way', async () => {
    const { call, update } = show(stateAfter(...opening));
    await userEvent.click(screen.getByRole('button', { name: 'Talk hands-free' }));
    expect(call.startTalking).toHaveBeenCalledWith('hands-free');
    expect(localStorage.getItem('sigma.hands-free')).toBe('on');
    update(stateAfter(...opening, ...listening));
    await userEvent.click(screen.getByRole('button', { name: 'Hang up the microphone' }));
    expect(call.finishTalking).toHaveBeenCalled();
    expect(localStorage.getItem('sigma.hands-free')).toBe('off');
  });

  it.each([
    ['granted', 1],
    ['prompt', 0],
  ])('hands-free begins by itself only where the microphone is allowed: %s', async (permission, times) => {
    localStorage.setItem('sigma.hands-free', 'on');
    vi.stubGlobal('navigator', {
      userActivation: { hasBeenActive: true },
      permissions: { query: async () => ({ state: permission }) },
    });
    const { call } = show(stateAfter(...opening));
    await act(async () => {});
    expect(call.startTalking).toHaveBeenCalledTimes(times);
  });

  it('says what it waits for while the ears are not ready', async () => {
    const waits = 'Hearing is being fetched (40 %). You can type meanwhile.';
    const hindrance = { 'push-to-talk': waits, 'hands-free': waits };
    const { call } = show(stateAfter(...opening), { hindrance });
    await userEvent.click(microphone());
    await userEvent.click(screen.getByRole('button', { name: 'Talk hands-free' }));
    expect(call.startTalking).not.toHaveBeenCalled();
    expect(toasts()).toEqual([waits]);
  });

  it('has keys: Alt and M for a message, Alt and H hands-free, Escape drops a recording', async () => {
    const { call, update } = show(stateAfter(...opening));
    await userEvent.keyboard('{Alt>}m{/Alt}');
    expect(call.startTalking).toHaveBeenCalledWith('push-to-talk');
    update(stateAfter(...opening, ...talking));
    await userEvent.keyboard('{Alt>}h{/Alt}');
    expect(call.startTalking).toHaveBeenCalledTimes(1);
    await userEvent.keyboard('{Escape}');
    expect(call.cancelTalking).toHaveBeenCalledTimes(1);
    expect(call.interrupt).not.toHaveBeenCalled();
    await userEvent.keyboard('{Alt>}m{/Alt}');
    expect(call.finishTalking).toHaveBeenCalledTimes(1);
    update(stateAfter(...opening));
    await userEvent.keyboard('{Alt>}h{/Alt}{Escape}');
    expect(call.startTalking).toHaveBeenLastCalledWith('hands-free');
    expect(call.interrupt).toHaveBeenCalledTimes(1);
  });

  it('can be discarded', async () => {
    const { call } = show(stateAfter(...opening, ...talking));
    await userEvent.click(screen.getByRole('button', { name: 'Discard recording' }));
    expect(call.cancelTalking).toHaveBeenCalled();
  });

  it('offers the other microphones', async () => {
    const { call } = show(stateAfter(...opening, ...listening, { type: 'mic-devices', devices }));
    await userEvent.click(screen.getByRole('button', { name: 'Choose input device' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Headset' }));
    expect(call.chooseMicrophone).toHaveBeenCalledWith('headset');
  });
});

describe('a microphone that cannot be had', () => {
  const problem = (failure: 'denied' | 'none' | 'in-use' | 'unplugged' | 'insecure' | 'unsupported') =>
    stateAfter(
      ...opening,
      { type: 'mic-opening', mode: 'hands-free' },
      { type: 'mic-off', problem: { kind: 'device', failure, mode: 'hands-free' } },
      { type: 'mic-devices', devices },
    );

  it('denied alerts in the words of the specification', () => {
    show(problem('denied'));
    expect(toasts()).toEqual(['Could not access microphone. Please check your permissions.']);
    expect(screen.getByText(/The microphone is blocked/)).toBeVisible();
  });

  it.each([
    ['none', /No microphone was found/],
    ['in-use', /Another app is using the microphone/],
    ['unplugged', /was unplugged/],
    ['insecure', /https:/],
    ['unsupported', /cannot record sound/],
  ] as const)('%s has its sentence', (failure, sentence) => {
    show(problem(failure));
    expect(screen.getByRole('alert')).toHaveTextContent(sentence);
    expect(toasts()).toEqual([]);
  });

  it('has a way on: again, or with another one', async () => {
    const { call } = show(problem('in-use'));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(call.startTalking).toHaveBeenCalledWith('hands-free');
    await userEvent.click(screen.getByRole('button', { name: 'Choose another microphone' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Headset' }));
    expect(call.chooseMicrophone).toHaveBeenCalledWith('headset');
    expect(call.startTalking).toHaveBeenCalledTimes(2);
  });

  it('offers no second try where that cannot help', () => {
    show(problem('insecure'));
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});
