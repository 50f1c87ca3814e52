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

  corrected: (what) => ['Sorry.', `I've changed it to ${what}.`],

  concerned: (voice, kind) =>
    pick(voice, [
      kind === 'danger' ? "That sounds dangerous, so let's be quick." : "I'm so sorry, that sounds serious.",
    ]),

  emergency: (voice, kind) =>
    pick(voice, [
      kind === 'danger'
        ? 'Please get to safety first: leave the area, and call the emergency services right away.'
        : 'Please get medical help first: call the emergency services right away if anyone is hurt.',
    ]),

  emergencyHandover: (voice) =>
    pick(voice, ['Once everybody is safe, I can have a human colleague follow up with you.']),
} satisfies Partial<Wording>;
