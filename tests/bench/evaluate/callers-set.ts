import { type CallersBusiness, readCallers, wordsAsWritten } from '../callers.ts';
import type { Round } from './case.ts';

/** The questions of the invented businesses that were held out from training; each in its own conversation. */
export const callersRounds = (): Round[] =>
  readCallers()
    .filter(({ isHeldOut }) => isHeldOut)
    .map(roundOf);

const roundOf = ({ name, agent, questions }: CallersBusiness): Round => ({
  title: 'callers',
  half: 'dev',
  name,
  agent,
  together: false,
  dialogues: [],
  cases: questions.map(({ kind, question, fragment }) => ({
    kind,
    nature: kind === 'near' ? 'unanswerable' : 'answerable',
    question,
    before: [],
    ideal: kind === 'near' ? null : fragment,
    judge({ text, citations, outcome }) {
      const cited = [text, ...citations.map((citation) => citation.text)].map(wordsAsWritten);
      const isTold = cited.some((each) => each.includes(wordsAsWritten(fragment)));
      return {
        right: kind === 'near' ? outcome !== 'answered' : isTold,
        rejected: false,
      };
    },
  })),
});
