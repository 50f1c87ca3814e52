import type { ModelHabits, ToolCall } from '#server/engines/language/contract';
import { firstMark, openMarkAt } from './marks.ts';

/** Characters of unclosed thinking: all that follows is thinking, too. */
const MOST_HELD = 40_000;

/**
 * Typical beginnings of unmarked thinking aloud: the model speaks about the customer instead of to them, or about its
 * task. A false match costs a moment, and loses nothing.
 */
const SOUNDS_LIKE_THINKING =
  /^\s*(?:(?:okay|ok|alright|all right|hmm+|so|well|first|now)[,.]? )*(?:the (?:user|customer|caller|question|passages?)\b|(?:i|we) (?:need to|have to|should|must|am asked|are asked|are given)\b|let(?:'s| us| me) (?:see|think|find|parse|break|analy[sz]e)\b|looking at the (?:passages?|question|information)\b|user (?:asks|wants|says|is)\b|we're asked\b)/iu;
/** Characters after which the kind of a beginning is clear. */
const BEGINNING = 48;

interface Told {
  /** Called when the model thinks, which the customer must not hear. */
  onThinking(): void;
  /** Called when it wrote a tool call as text. */
  onCall(call: ToolCall): void;
}

/**
 * The part of a model's text for the customer: without thinking in any form, without marks of its template, and without
 * tool calls written as text, which are reported.
 * @param habits is told of the model's habits
 */
export async function* answerOnly(
  pieces: AsyncIterable<string>,
  habits: ModelHabits,
  { onThinking, onCall }: Told,
): AsyncGenerator<string> {
  let mode: 'answer' | 'thinking' | 'call' | 'label' | 'between' = 'answer';
  let text = '';
  /** Text of the model that may not be an answer. */
  let unsure: string | null = '';
  let callName: string | undefined;
  let label = '';
  let call = '';

  /** The part of a stretch of the answer that is safe to say by now. */
  const sure = (said: string, isEnd: boolean): string => {
    if (unsure === null) return said;
    unsure += said;
    if (!isEnd && unsure.length < MOST_HELD) {
      if (habits.thinksUnopened || SOUNDS_LIKE_THINKING.test(unsure) || isGluedChannel(unsure)) {
        onThinking();
        return '';
      }
      if (unsure.trimStart().length < BEGINNING && mayBecomeThinking(unsure)) return '';
    }
    const known = withoutGluedChannels(unsure);
    unsure = null;
    return known;
  };
  /** @returns the part of a stretch to say; null at a made-up customer's turn */
  const take = (stretch: string): string | null => {
    if (stretch === '') return '';
    if (mode === 'answer') return sure(stretch, false);
    if (mode === 'thinking') onThinking();
    else if (mode === 'call') call += stretch;
    else if (mode === 'label') {
      label += stretch;
      // "assistant" after the mark of a role, then a line break.
      const line = /^\s*(assistant|model|user|system|tool)\s*\n/.exec(label);
      if (!line) return '';
      if (line[1] === 'user' || line[1] === 'system') return null;
      mode = 'answer';
      return sure(label.slice(line[0].length), false);
    }
    return '';
  };
  const endCall = () => {
    for (const each of callsIn(call, callName)) onCall(each);
    call = '';
    callName = undefined;
  };

  for await (const piece of pieces) {
    text += piece;
    for (let found = firstMark(text); found; found = firstMark(text)) {
      const before = text.slice(0, found.begin);
      text = text.slice(found.end);
      const said = take(before);
      if (said === null) return;
      if (said !== '') yield said;
      const { mark } = found;
      switch (mark.is) {
        case 'thinking-begins':
          habits.thinks = true;
          mode = 'thinking';
          break;
        case 'thinking-ends':
          if (mode === 'answer') {
            habits.thinksUnopened = true;
            habits.thinks = true;
            unsure = null;
          }
          mode = 'answer';
          break;
        case 'call-begins':
          if (mode === 'call' && mark.name === undefined) break;
          mode = 'call';
          callName = mark.name;
          break;
        case 'call-ends':
          endCall();
          mode = 'answer';
          break;
        case 'channel':
          mode = 'label';
          label = '';
          break;
        case 'message':
          mode = modeOf(label);
          callName = /to=(?:functions\.)?([\w.-]+)/.exec(label)?.[1];
          unsure = mode === 'answer' ? null : unsure;
          label = '';
          break;
        case 'role':
          // After its own turn, the model makes up another turn of the customer.
          if (mark.role === 'user' || mark.role === 'system') return;
          mode = mark.role === undefined ? 'label' : 'answer';
          label = '';
          break;
        case 'turn-ends':
          if (mode === 'call') endCall();
          // After thinking or a call in a channel of its own, the answer follows.
          if (mode === 'answer' && (unsure === null || unsure.trim() !== '')) {
            const rest = sure('', true);
            if (rest !== '') yield rest;
            return;
          }
          mode = 'between';
          break;
        case 'nothing':
          break;
      }
    }
    const end = openMarkAt(text);
    const said = take(text.slice(0, end));
    if (said === null) return;
    text = text.slice(end);
    if (said !== '') yield said;
  }
  if (mode === 'call') {
    call += text;
    endCall();
    return;
  }
  if (mode !== 'answer') return;
  const rest = sure(text, true);
  if (rest !== '') yield rest;
}

/** The final channel is said; calls have their own channel; the others are thinking. */
function modeOf(label: string): 'answer' | 'thinking' | 'call' {
  if (/\bto=/.test(label)) return 'call';
  return /\bfinal\b/i.test(label) || !/\b(?:analysis|commentary|thought|thinking)\b/i.test(label)
    ? 'answer'
    : 'thinking';
}

/** "analysisWe need …assistantfinalIt is …": channels whose marks a server removed. */
const GLUED = /^\s*analysis(?=\p{Lu}|["'“]|\s\p{Lu})/u;
const isGluedChannel = (text: string) => GLUED.test(text);
const withoutGluedChannels = (text: string): string => {
  if (!isGluedChannel(text)) return text;
  const final = /assistantfinal|(?<=[.!?"'\s])final(?=\p{Lu})/u.exec(text);
  return final ? text.slice(final.index + final[0].length) : '';
};

/** Whether a short beginning might still turn out to be thinking. */
const mayBecomeThinking = (text: string): boolean =>
  /^\s*(?:okay|ok|alright|all right|hmm+|so|well|first|now|the|i|we|we're|let|let's|looking|user|analysis)\b[^.!?]*$/iu.test(
    text,
  ) || /^\s*\p{L}{0,10}$/u.test(text);

/** The calls in a text: JSON with a name and arguments, or only arguments if the name is known. */
function callsIn(written: string, name: string | undefined): ToolCall[] {
  const json = written.slice(Math.max(0, written.search(/[[{]/))).replace(/(?<![^\]}])[^\]}]+$/, '');
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    return [];
  }
  return (Array.isArray(read) ? read : [read]).flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return [];
    const called = name ?? Reflect.get(each, 'name') ?? Reflect.get(each, 'tool');
    const input = name ? each : (Reflect.get(each, 'arguments') ?? Reflect.get(each, 'parameters') ?? {});
    if (typeof called !== 'string') return [];
    return [
      {
        id: `written-${crypto.randomUUID()}`,
        name: called,
        input: typeof input === 'string' ? input : JSON.stringify(input),
      },
    ];
  });
}
