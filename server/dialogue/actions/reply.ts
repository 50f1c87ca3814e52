import { untilAborted } from '#server/lib/wait';
import type { ActionInput } from '#shared/actions';
import type { AgentAction } from '../contract.ts';
import type { Draft, Turn } from '../manners/draft.ts';
import { socialReply } from '../manners/small-talk.ts';
import { chooseAction } from './choose.ts';
import { actionOf, consentTo, type PendingAction, waitingForYes } from './consent.ts';
import { type Given, knownAs, missingInput, readBack } from './inputs.ts';

/** Failed answers in a row before a colleague is offered. */
export const MAX_MISSES = 2;
/** Small talk during an action, which continues after it. */
const beside = ['wait', 'repeat', 'thanks', 'greeting'] as const;
/** The same while waiting for a yes: thanks may mean one. */
const besideQuestion = ['wait', 'repeat'] as const;
/** Characters kept of an action's question. */
const MAX_QUESTION = 300;

/** Begins the action that a message requests; null if it requests none. */
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

/** Takes the message as the answer to an action's question; null if it is none. */
export async function goOnWithAction(around: Turn, pending: PendingAction): Promise<Draft | null> {
  const { turn, message, language, voice } = around;
  const { messages, say } = language;
  const action = actionOf(turn, pending);
  if (!action) return null;
  const consent = consentTo(turn, pending, language);
  const { given } = pending;
  // A yes must be the whole message: "yes, call me" does not request a colleague.
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
  // "Could you make it later?" is about the values read back.
  if (other && !asked) return proceed(around, action, given, pending.misses + 1);
  return asksBack(around) ? null : proceed(around, action, given, pending.misses + 1);
}

/**
 * Continues an action after another topic in the middle of it.
 * @param other the reply to that topic
 * @returns the reply to it and then the action's question; null if the reply ends the action
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
  // Only one question is asked at a time, and this one comes first.
  const again = proceed(around, waiting.action, pending.given, pending.misses + 1);
  if (again.outcome !== 'asked-back') return again;
  const unknown = language.words.stopWordsOnly(around.turn.text) ? [] : [language.say.cannotSay(voice)];
  return { ...again, sentences: [...unknown, ...askAgain(around, pending)] };
}

/** The action's question again, after another answer in between. */
function askAgain(around: Turn, pending: PendingAction): string[] {
  const { turn, voice } = around;
  const { say } = around.language;
  const waiting = waitingForYes(turn, pending);
  if (waiting) return say.confirmAgain(voice, waiting.action.name, waiting.inputs, true);
  const input = actionOf(turn, pending)?.inputs.find(({ name }) => name === pending.asked);
  return input ? [say.askInput(voice, input.label, false)] : [];
}

const asksBack = ({ message }: Turn) => message.needs.length > 0 && !message.isStatement;

/** New values for given inputs: "no, 4472". Null without any. */
function correctionsIn(
  { turn, language, values }: Turn,
  { inputs }: AgentAction,
  given: Given,
): Given | null {
  const known = inputs.filter(({ name }) => given[name] !== undefined);
  const said = values.unasked(known);
  // After "no" a short number counts, too.
  if (language.messages.isCorrection(turn.text) && known.length === 1 && known[0] && !said[known[0].name]) {
    const [only] = known;
    const value = only.type === 'text' ? null : values.for(only, true);
    return value === null || value === given[only.name] ? null : { [only.name]: value };
  }
  const changed = Object.entries(said).filter(([name, value]) => given[name] !== value);
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}

/** Asks for a missing input, reads the inputs back, or runs the action. */
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

/** Says that it takes a moment, and runs the action once the turn is taken. */
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

/** The business's system does not know the given values: asks for them once more, then offers a colleague. */
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
