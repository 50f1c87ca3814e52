import type { Wording } from '../../wording.ts';
import { pick } from './voice.ts';

export const colleague = {
  letColleague: (voice) =>
    pick(voice, [
      'Shall a colleague look at this with you and get back to you?',
      'I would rather have a colleague sort this out with you. Shall they get back to you?',
    ]),

  handedOver({ name, phone, email, reference }) {
    const ways = [phone, email].filter(Boolean).join(' or ');
    const about = reference ? ` about ${reference}` : '';
    return [
      `${name ? `Thank you, ${name}.` : 'Thank you.'}`,
      `I've noted ${ways || 'that'}, and a colleague will get back to you${about}.`,
    ];
  },

  alreadyHandedOver: (voice) =>
    pick(voice, [
      'A colleague has your message and will get back to you.',
      'Your message is with a colleague, who will get back to you.',
    ]),

  askName: (voice) => pick(voice, ['And what is your name, please?', 'May I have your name, too?']),

  askHowToReach: (voice, feeling) => [
    feeling,
    pick(voice, [
      'A colleague will read this conversation and get back to you.',
      "I'll leave this for a colleague, who gets back to you.",
    ]),
    pick(voice, [
      'What number or e-mail can they reach you on?',
      'How can they best reach you, by telephone or e-mail?',
    ]),
  ],

  goOn: (voice) => pick(voice, ['Yes, go on.', 'And the rest?']),

  askReachAgain: (voice) => [
    'Sorry about that.',
    pick(voice, ['What is the right number or e-mail?', 'Could you tell me the number or e-mail once more?']),
  ],

  corrected: (what) => ['Sorry.', `I've changed it to ${what}.`],

  concerned: (voice, kind) =>
    pick(voice, [
      {
        danger: "That sounds dangerous, so let's be quick.",
        injury: "I'm so sorry, that sounds serious.",
        despair: "I'm so sorry that it hurts this much, and I'm glad you told me.",
        violence: "I take that very seriously, and everybody's safety comes first.",
      }[kind],
    ]),

  emergency: (voice, kind, numbers) => {
    const call = `call ${numbers ? numbers.emergency : 'your local emergency number'}`;
    const talk = numbers?.crisis
      ? ` You can also call ${numbers.crisis} to talk with somebody, at any hour.`
      : '';
    return pick(voice, [
      {
        danger: `Please get to safety first: leave the area, and ${call} right away.`,
        injury: `Please get medical help first: ${call} right away.`,
        despair: `Please ${call} now, or go to somebody you trust; you don't have to go through this alone.${talk}`,
        violence: `If anybody is in danger, get to a safe place and ${call} right away.`,
      }[kind],
    ]);
  },

  emergencyHandover: (voice) =>
    pick(voice, ['Once everybody is safe, I can have a human colleague follow up with you.']),
} satisfies Partial<Wording>;
