import type { Wording } from '../../wording.ts';
import { listed } from '../lists.ts';
import { pick } from './voice.ts';

const lowerFirst = (text: string) =>
  /^[A-Z][a-z\s]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

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

  confirmAction: (name, inputs) => [
    `Just to check: ${lowerFirst(name)}${
      inputs.length > 0
        ? `, with ${listed(inputs.map(({ label, value }) => `${lowerFirst(label)} ${value}`))}`
        : ''
    }.`,
    'Shall I go ahead?',
  ],

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
