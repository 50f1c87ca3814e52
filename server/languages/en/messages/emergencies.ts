import type { Emergencies } from '../../contract.ts';

const safetyAdvice =
  /\b(?:emergency|evacuat\w*|leave the|call|unplug|stop using|immediately|at once|switch (?:it )?off|turn (?:it )?off|disconnect|open the windows?|do not (?:touch|use)|rinse|press|keep)\b/i;

export const emergencies: Emergencies = {
  question: (said) => `${said} What should I do in this emergency?`,
  tellsWhatToDo: (sentence) => safetyAdvice.test(sentence),
};
