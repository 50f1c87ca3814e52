import { untilAborted } from '#server/lib/wait';
import type { ActionInput } from '#shared/actions';
import type { AgentAction } from '../contract.ts';
import type { Draft, Turn } from '../manners/draft.ts';
import { socialReply } from '../manners/small-talk.ts';
import { chooseAction } from './choose.ts';
import { actionOf, consentTo, type PendingAction, waitingForYes } from './consent.ts';
import { type Given, knownAs, missingInput, readBack } from './inputs.ts';

/** Answers in a row that are none: then a colleague is offered. */
export const MAX_MISSES = 2;
/** Small talk in the middle of an action, which goes on after it. */
const beside = ['wait', 'repeat', 'thanks', 'greeting'] as const;
/** The same where a yes is waited for: thanks may be meant for one. */
const besideQuestion = ['wait', 'repeat'] as const;
/** What an action is remembered by, in characters. */
const MAX_QUESTION = 300;

/** Begins the action that a message wants; null where it wants none. */
export async function beginAction(around: Turn): Promise<Draft | null> {
  const action = await chooseAction(around);
  if (!action) return null;
  const { state, values } = around;
  const known = action.inputs.flatMap((input) => {
    const value = state.known[knownAs(input)];
    return value === undefined ? [] : [[input.name, value]];
  });
  const given = { ...Object.fromEntries(known), ...values.unasked(action.inputs) };
  return proceed(around, action, given, 0);
}

/** Takes what was said for what an action asked; null where it is no answer to that. */
export async function goOnWithAction(around: Turn, pending: PendingAction): Promise<Draft | null> {
  const { turn, message, language, voice } = around;
  const { messages, say } = language;
  const action = actionOf(turn, pending);
  if (!action) return null;
  const consent = consentTo(turn, pending, language);
  const { given } = pending;
  // A yes is one to its last word: "yes, call me" asks for no colleague.
  if (consent === 'yes')
    return pending.isOvertaken || missingInput(action, given)
      ? proceed(around, action, given, 0)
      : run(around, action, given);
  if (message.acts.includes('handover')) return null;
  if (consent === 'gives-up') return { sentences: [say.notDone(voice)], outcome: 'social' };
  const acts = pending.asked === null ? besideQuestion : beside;
  if (message.needs.length === 0 && acts.some((act) => message.acts.includes(act)))
    return { ...(await socialReply(around)), state: { pending } };
  const asked = action.inputs.find(({ name }) => name === pending.asked);
  const corrected = correctionsIn(around, action, given);

  if (!asked) {
    if (corrected) return proceed(around, action, { ...given, ...corrected }, 0);
    if (consent === 'no') return { sentences: [say.notDone(voice)], outcome: 'social' };
  } else {
    const value = asksBack(around) ? null : around.values.for(asked, true);
    if (corrected && (value === null || messages.isCorrection(turn.text)))
      return proceed(around, action, { ...given, ...corrected }, 0);
    if (value !== null) return proceed(around, action, { ...given, [asked.name]: value }, 0);
    if (consent === 'no' && message.needs.length === 0)
      return { sentences: [say.notDone(voice)], outcome: 'social' };
  }
  const other = await chooseAction(around);
  if (other && other.id !== action.id) return beginAction(around);
  // "Could you make it later?" is about what was read back.
  if (other && !asked) return proceed(around, action, given, pending.misses + 1);
  return asksBack(around) ? null : proceed(around, action, given, pending.misses + 1);
}

/**
 * Goes on with an action after something else that was said in the middle of it.
 * @param other what is said to that
 * @returns what is said to it and then what the action still asks; null where what is said to it ends the action
 */
export function goOnAfter(around: Turn, pending: PendingAction, other: Draft): Draft | null {
  const { language, voice } = around;
  if (other.outcome === 'answered' && !other.afterwards)
    return {
      ...other,
      sentences: [...other.sentences, ...askAgain(around, pending)],
      state: { ...other.state, pending },
    };
  const isQuestion =
    other.outcome !== 'handover' && asksBack(around) && !around.message.acts.includes('handover');
  const waiting = waitingForYes(around.turn, pending);
  if (!isQuestion || !waiting || other.afterwards) return null;
  // One question is asked at a time, and this one comes first.
  const again = proceed(around, waiting.action, pending.given, pending.misses + 1);
  if (again.outcome !== 'asked-back') return again;
  const unknown = language.words.stopWordsOnly(around.turn.text) ? [] : [language.say.cannotSay(voice)];
  return { ...again, sentences: [...unknown, ...askAgain(around, pending)] };
}

/** What an action still asks, once more: after something else was answered in between. */
function askAgain(around: Turn, pending: PendingAction): string[] {
  const { turn, voice } = around;
  const { say } = around.language;
  const waiting = waitingForYes(turn, pending);
  if (waiting) return say.confirmAgain(voice, waiting.action.name, waiting.inputs, true);
  const input = actionOf(turn, pending)?.inputs.find(({ name }) => name === pending.asked);
  return input ? [say.askInput(voice, input.label, false)] : [];
}

const asksBack = ({ message }: Turn) => message.needs.length > 0 && !message.isStatement;

/** Other values for what was given already: "no, 4472". Null where there are none. */
function correctionsIn(
  { turn, language, values }: Turn,
  { inputs }: AgentAction,
  given: Given,
): Given | null {
  const known = inputs.filter(({ name }) => given[name] !== undefined);
  const said = values.unasked(known);
  // After "no" a short number is one, too.
  if (language.messages.isCorrection(turn.text) && known.length === 1 && known[0] && !said[known[0].name]) {
    const [only] = known;
    const value = only.type === 'text' ? null : values.for(only, true);
    return value === null || value === given[only.name] ? null : { [only.name]: value };
  }
  const changed = Object.entries(said).filter(([name, value]) => given[name] !== value);
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}

/** Asks for what is missing, reads it back, or does it. */
function proceed(around: Turn, action: AgentAction, given: Given, misses: number): Draft {
  const { turn, state, language, voice } = around;
  const { say } = language;
  const kept = {
    question: turn.text.slice(0, MAX_QUESTION),
    known: { ...state.known, ...knownOf(action, given) },
  };
  if (misses >= MAX_MISSES)
    return {
      sentences: say.stillNot(voice),
      outcome: 'declined',
      state: { ...kept, question: state.question, pending: { is: 'colleague' } },
    };
  const pending = { is: 'action', actionId: action.id, given, misses } as const;
  const missing = missingInput(action, given);
  if (missing)
    return {
      sentences: [say.askInput(voice, missing.label, misses > 0)],
      outcome: 'asked-back',
      state: { ...kept, pending: { ...pending, asked: missing.name, expects: expectedFor(missing) } },
    };
  if (action.confirm)
    return {
      sentences:
        misses > 0
          ? say.confirmAgain(voice, action.name, readBack(action, given), false)
          : say.confirmAction(action.name, readBack(action, given)),
      outcome: 'asked-back',
      state: { ...kept, pending: { ...pending, asked: null, expects: 'yes-or-no' } },
    };
  return run(around, action, given);
}

/** Says that it takes a moment, and does it once the turn is taken. */
function run(around: Turn, action: AgentAction, given: Given): Draft {
  const { turn, state, language, voice, signal } = around;
  const { say, splitSentences } = language;
  const known = { ...state.known, ...knownOf(action, given) };
  const question = turn.text.slice(0, MAX_QUESTION);
  const colleague = { known, question, pending: { is: 'colleague' } } as const;
  return {
    sentences: [say.oneMoment(voice)],
    outcome: 'answered',
    async afterwards() {
      const runAction = await untilAborted(
        turn.actions?.taken ?? Promise.reject(new Error('No actions.')),
        signal,
      );
      const result = await runAction({ actionId: action.id, inputs: given }, signal);
      signal.throwIfAborted();
      switch (result.outcome) {
        case 'done':
          return {
            sentences: [
              ...(result.isRepeated ? [say.doneAlready(voice)] : []),
              ...splitSentences(result.said),
            ],
            outcome: 'answered',
            topic: action.name.toLowerCase(),
            state: { known, question, unanswered: 0 },
          };
        case 'refused':
          return refused(around, action, given);
        case 'failed':
          return { sentences: say.cannotReach(voice), outcome: 'declined', state: colleague };
        case 'unknown':
          return { sentences: say.maybeDone(voice), outcome: 'declined', state: colleague };
      }
    },
  };
}

/** The business's system knows nothing of what they named: they are asked for it once more, then a colleague is offered. */
function refused(around: Turn, action: AgentAction, given: Given): Draft {
  const { state, turn, language, voice } = around;
  const { say } = language;
  const nothing = say.notFoundWith(readBack(action, given));
  const wrong =
    action.inputs.findLast(({ name, type }) => given[name] !== undefined && type !== 'text') ??
    action.inputs.findLast(({ name }) => given[name] !== undefined);
  const misses = state.pending?.is === 'action' ? state.pending.misses + 1 : 1;
  const known = { ...state.known };
  if (wrong) delete known[knownAs(wrong)];
  if (!wrong || misses >= MAX_MISSES)
    return {
      sentences: [nothing, say.letColleague(voice)],
      outcome: 'declined',
      state: { known, question: turn.text.slice(0, MAX_QUESTION), pending: { is: 'colleague' } },
    };
  const { [wrong.name]: _, ...others } = given;
  return {
    sentences: [nothing, say.askInput(voice, wrong.label, true)],
    outcome: 'asked-back',
    state: {
      known,
      pending: {
        is: 'action',
        actionId: action.id,
        given: others,
        asked: wrong.name,
        expects: expectedFor(wrong),
        misses,
      },
    },
  };
}

const knownOf = ({ inputs }: AgentAction, given: Given) =>
  Object.fromEntries(
    inputs.flatMap((input) => {
      const value = given[input.name];
      return value === undefined || input.type === 'text' ? [] : [[knownAs(input), value]];
    }),
  );

const expectedFor = ({ type, pattern }: ActionInput) =>
  ({
    digits: 'code',
    email: 'email',
    phone: 'phone',
    date: 'short',
    text: pattern ? 'code' : 'anything',
  })[type] as PendingAction['expects'];
