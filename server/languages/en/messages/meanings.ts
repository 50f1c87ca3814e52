import type { Meaning } from '../../messages.ts';

/**
 * What people say to whoever answers, in the wordings that come first to mind. A message that means the same in other words is
 * known by its likeness to them.
 */
export const meanings: readonly Meaning[] = [
  {
    act: 'are-you-human',
    says: [
      'Are you a human or a robot?',
      'You are a real person, right?',
      'Am I talking to a machine?',
      'Is this an automated system or a computer voice?',
      'Are you an artificial intelligence like ChatGPT?',
      'You are not real, are you?',
      'Is there a living person on this line?',
      'Is this a recording?',
    ],
  },
  {
    act: 'who-are-you',
    says: [
      'What is your name?',
      'Who am I speaking to?',
      'I did not catch your name.',
      'What was your name again?',
      'Who is this on the phone?',
      'What should I call you?',
    ],
  },
  {
    act: 'repeat',
    says: [
      'Can you say that again?',
      'I did not hear what you said.',
      'Could you repeat that, please?',
      'What did you just say?',
      'Sorry, say that one more time.',
    ],
  },
  {
    act: 'wait',
    says: [
      'Give me a second.',
      'Bear with me a moment.',
      'Hold on a moment, somebody is at the door.',
      'Wait, let me get a pen.',
      'Bear with me, I have to look for it.',
      'Give me a second, my other phone is ringing.',
      'Hang on while I find my papers.',
    ],
  },
  {
    act: 'languages',
    says: [
      'Which languages do you speak?',
      'Do you speak Spanish?',
      'Can we talk in German?',
      'Is there somebody who speaks French?',
      'My mother does not speak English, can she talk to you?',
    ],
  },
  {
    act: 'hear-me',
    says: [
      'Can you hear me?',
      'Are you still there?',
      'You keep breaking up.',
      'The line is bad, you are cutting out.',
    ],
  },
  {
    act: 'handover',
    says: [
      'Put me through to somebody.',
      'I want to speak to your supervisor.',
      'Let me talk to a real person.',
      'Get me the manager.',
      'Can you connect me to somebody who can help?',
    ],
  },
  {
    act: 'thanks',
    says: [
      'You have been very helpful, thank you.',
      'That is very kind of you.',
      'That puts my mind at rest, thanks.',
      'You are a darling, thanks ever so much.',
    ],
  },
  {
    act: 'wrong-number',
    says: [
      'I think I have dialled the wrong number.',
      'Sorry, I wanted to call somebody else.',
      'Is this not the number of the pizza place?',
    ],
  },
  {
    act: 'why-contact',
    says: [
      'Why do you need my phone number?',
      'What do you need my name for?',
      'Why do you want my e-mail address?',
      'What will you do with my number?',
    ],
  },
  { act: 'time', says: ['What time is it?', 'What is the date today?', 'What day is it today?'] },
  {
    act: 'open-now',
    says: [
      'Are you open now?',
      'Are you still open today?',
      'Is anybody there right now, or are you closed?',
      'Are you open at the moment?',
    ],
  },
  {
    act: 'weather',
    says: [
      'Lovely weather today, is it not?',
      'It is raining all day here.',
      'How is the weather where you are?',
      'What a hot day.',
    ],
  },
  {
    act: 'what-can-you-do',
    says: ['What can you help me with?', 'What can I ask you?', 'What do you do?', 'How does this work?'],
  },
  {
    act: 'goodbye',
    says: ['Goodbye, have a nice day.', 'That is all, bye.', 'So long, take care.', 'Cheerio then.'],
  },
  { act: 'never-mind', says: ['Never mind.', 'Forget it.', 'It does not matter any more.'] },
];
