import type { SaidInput, Wording } from '../../wording.ts';
import { listed } from '../lists.ts';
import { pick } from './voice.ts';

const lowerFirst = (text: string) =>
  /^[A-Z][a-z\s]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

const toBeDone = (name: string, inputs: readonly SaidInput[]) =>
  inputs.length > 0
    ? `${lowerFirst(name)}, with ${listed(inputs.map(({ label, value }) => `${lowerFirst(label)} ${value}`))}`
    : lowerFirst(name);

export const actions = {
  askInput: (voice, label, isAgain) =>
    isAgain
      ? pick(voice, [
          `Sorry, I didn't get that. What is the ${lowerFirst(label)}?`,
          `I'm sorry, could you say the ${lowerFirst(label)} once more?`,
        ])
      : pick(voice, [
          `What is the ${lowerFirst(label)}, please?`,
          `Could you tell me the ${lowerFirst(label)}?`,
        ]),

  confirmAction: (name, inputs) => [`Just to check: ${toBeDone(name, inputs)}.`, 'Shall I go ahead?'],

  confirmAgain: (voice, name, inputs, isAfterOther) => {
    const what = toBeDone(name, inputs);
    return isAfterOther
      ? [
          pick(voice, [`Now, back to my question: ${what}.`, `So, to come back to it: ${what}.`]),
          pick(voice, ['Shall I go ahead, yes or no?', 'Would you like me to go ahead, yes or no?']),
        ]
      : [
          pick(voice, [`Sorry, I want to be sure: ${what}.`, `Just so that I do the right thing: ${what}.`]),
          pick(voice, ['Shall I do that, yes or no?', 'Is that a yes or a no?']),
        ];
  },

  cannotSay: (voice) =>
    pick(voice, ["I can't tell you more about that.", "I'm afraid I have nothing more on that."]),

  notDone: (voice) =>
    pick(voice, ["Okay, I won't do that. Anything else?", 'All right, I have left it. What else can I do?']),

  notFoundWith: (inputs) =>
    inputs.length > 0
      ? `I couldn't find anything for ${listed(inputs.map(({ label, value }) => `${lowerFirst(label)} ${value}`))}.`
      : "I couldn't find that.",

  cannotReach: (voice) => [
    "I'm sorry, I can't reach that right now.",
    pick(voice, [
      'Shall a colleague look into it and get back to you?',
      'Shall I have a colleague get back to you about it?',
    ]),
  ],

  maybeDone: () => [
    "I'm sorry, I can't tell whether that went through.",
    'Shall a colleague check and get back to you?',
  ],

  stillNot: () => ["I'm sorry, I still didn't get that.", 'Shall a colleague get back to you about it?'],

  done: (voice) => pick(voice, ["That's done."]),

  askedAnother: () => 'I asked somebody else that, so I need to hear it from them.',

  doneAlready: () => 'That is done already.',
} satisfies Partial<Wording>;
