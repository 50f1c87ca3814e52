import type { Act, ReadMessage } from '../../messages.ts';
import { plain } from '../../typography.ts';
import { asksFor, isAlternative, splitQuestions } from '../questions/is-question.ts';
import { splitSentences } from '../sentences.ts';
import { normalize } from '../words.ts';
import { agreesOrEnds, askingAct, isInjection, isOutside, socialAct } from './acts.ts';
import { dangerIn } from './danger.ts';
import { isInsult, moodOf } from './feelings.ts';

const leadGreeting =
  /^(?:(?:wait|stop|hold on|hang on|actually)(?=[,.!]| (?:no|but|i|that|can|what|how|my))|(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|dear)(?:,? (?:there|team|sigma|all|everyone|again|support|sir|madam))?|(?:ok(?:ay)?|great|perfect|alright|cool|nice|well|so|um+|uh+|yes|yeah|no|oh|ah|right|sure|got it|i see)(?=[,.!]| (?:thanks|thank|and|so|but|then))|(?:many )?thanks(?: (?:a lot|so much|for (?:that|your help|the information)))?|thank you(?: (?:so much|very much|for (?:that|your help|the information)))?|excuse me|sorry(?: (?:to bother you|about that|for the trouble))?|i am sorry|please|quick question|one more (?:thing|question)|another question|i have (?:a|one|another|one more) (?:quick )?question|just (?:a|one) (?:quick )?question|i was wondering|by the way|also)(?:[\s,.!:;-]+|$)/i;

/**
 * Characters read of a long message, at its beginning and end: questions are not in the middle, and this runs
 * on the main thread.
 */
const MAX_READ = 2_400;
const MAX_PIECES = 30;

/** Reads a message: small talk, questions, mood, danger. */
export function readMessage(written: string): ReadMessage {
  const text =
    written.length > MAX_READ
      ? `${written.slice(0, MAX_READ / 2)}\n${written.slice(-MAX_READ / 2)}`
      : written;
  const all = normalize(text).replace(/\s+/g, ' ').trim();
  const message: ReadMessage = {
    acts: [],
    needs: [],
    isStatement: false,
    background: '',
    mood: moodOf(all),
    danger: dangerIn(all),
  };
  const does = (act: Act) => {
    if (!message.acts.includes(act)) message.acts.push(act);
  };
  const isAfterInstructions = isInjection(all);
  if (isAfterInstructions) does('injection');
  const statements: string[] = [];
  for (const sentence of piecesOf(text)) {
    const social = socialAct(sentence);
    const { acts, rest } = social ? { acts: [social], rest: '' } : withoutOpening(sentence);
    for (const act of acts) does(act);
    if (agreesOrEnds(rest || sentence)) does('yes');
    if (!rest) continue;
    const act = socialAct(rest) ?? askingAct(rest);
    const isWish = isAfterInstructions || isOutside(rest);
    if (act) does(act);
    else if (isWish || asksFor(rest)) {
      const before = isAlternative(rest) ? message.needs.pop() : undefined;
      message.needs.push(...splitQuestions(before ? `${before} ${rest}` : rest));
    } else statements.push(rest);
    if (isOutside(rest)) does('outside');
  }
  if (message.needs.length === 0 && statements.length > 0) {
    const rest = statements.filter((statement) => !isInsult(statement));
    if (rest.length < statements.length) does('abuse');
    if (rest.length > 0) {
      message.needs.push(rest.join(' '));
      message.isStatement = true;
    }
  } else message.background = statements.join(' ');
  return message;
}

function piecesOf(text: string): string[] {
  return plain(text)
    .split(/\n+/)
    .flatMap((line) => splitSentences(line.trim()))
    .filter(Boolean)
    .slice(0, MAX_PIECES);
}

function withoutOpening(sentence: string): { acts: Act[]; rest: string } {
  const acts: Act[] = [];
  let rest = sentence.trim();
  for (let n = 0; n < 5; n++) {
    const match = leadGreeting.exec(rest);
    if (!match?.[0] || match[0].length === 0) break;
    const said = match[0].toLowerCase();
    if (/^(?:hi|hello|hey|hiya|good|greet|dear)/.test(said)) acts.push('greeting');
    else if (/^(?:many )?thank/.test(said)) acts.push('thanks');
    rest = rest.slice(match[0].length).trim();
  }
  return {
    acts,
    rest: rest
      .replace(/,? (?:thanks|thank you|please|cheers)[\s.!?]*$/i, (m) => (m.includes('?') ? '?' : ''))
      .trim(),
  };
}
