import { firstWordsOf, indexed, type Phrase, phrasesOf } from './phrases.ts';

const named = {
  it: 'it that this everything',
  very: 'all very quite really',
  keeps: 'keep keeping stay staying stick sticking remain hang',
};

const givingUp = phrasesOf(
  `never mind
  nevermind
  forget {it}
  forget about {it}
  forget the whole thing
  leave {it} be|there|out|alone?
  leave {it} for now|today
  i|we will leave {it} be|there|out?
  drop|skip|scrap|scratch|abort|bin {it}?
  stop
  stop {it}
  do not bother
  i|we have? changed my|our mind|minds
  i|we do not want {it} any? more|anymore?
  i|we do not want to any? more|anymore?
  not any more
  not anymore
  let us leave|forget|drop|skip {it}
  let us not
  call it off
  i|we take {it} back
  i|we will? pass
  hard pass
  on second thought|thoughts`,
  named,
);
const cancelling = phrasesOf('cancel {it}?\ncancel the whole thing', named);
/** Gives up altogether, whatever was asked. */
export const givingUpOnAny = [...givingUp, ...cancelling];
/** The same where the deed ends something: there "stop it", "scrap it" and "cancel it" may mean the deed. */
export const givingUpOnEnding = givingUp.filter(
  (phrase) => !['stop', 'scrap'].some((word) => firstWordsOf(phrase).has(word)),
);
/** Permitted additions. */
export const besides = phrasesOf(
  `oh|ah|well|so|actually|sorry|no|nope|nah|please|hmm|wait|then|thanks|ta|cheers|anyway|instead|now|ok|alright|right|yes|yeah|yep|sure|fine
  great|perfect|lovely|look|listen|god|just|really|bye|goodbye
  thank you
  you know what?
  i mean
  for now|today
  any more
  after all`,
);

/** Phrases that refuse anywhere. */
export const refusing = lexicon(`
  absolutely|definitely|certainly|course|hell|god|obviously|rather|better|best not
  absolutely|definitely|certainly|hell|god|still no
  no way|chance|thanks|deal|dice|sale|longer|thank|point|interest
  no need to|for|now?
  not a chance
  not on your life|nelly
  in a million years
  under no circumstances
  over my|our dead
  not interested|required|necessary|needed|really|happening|worth|bothered
  not for me|us
  not any more
  not anymore
  not this time
  never mind
  nevermind
  forget it|that|this|about
  changed my|our mind|minds
  drop|scrap|scratch|skip|bin it|that|this
  do not bother|worry|trouble
  call it off
  take it|that|this back
  i|we will|shall just? pass|skip
  will give it|that a miss
  hard pass
  let us not
  the opposite
  opposite of
  second thought|thoughts
  thanks|thank|ta|cheers you? i|we am|are {very}? good|fine|alright|ok|grand|sorted|set
  i|we am|are good|fine|alright|ok|grand|sorted|set thanks|thank|ta|cheers
  you are alright|grand|ok|fine|good thanks?
  i|we am|are not|no coming|going|buying|doing|paying|having|taking|interested|bothered|keen|doing
  i|we cannot afford
  i said no
  answer is no
  is not what i|we
  have got? enough|plenty
  maybe|perhaps another|some other? time
  going|coming after all
  is a no
  i|we will|would|am|are just|rather|still? going? to? {keeps}
  i|we have? want|prefer|like|decided|rather|going|better to? {keeps}
  i|we {keeps}
  i am hanging up
  without him|her|you
  thumbs down
`);

/** The same, unless preceded by "yes, but": "yes, but I don't want the breakfast". */
export const refusingAlone = lexicon(`
  is|bit|way|far|ok|sorry|no|just|thanks|right|well|alright|actually too much|expensive|dear|pricey|costly|steep
  i|we will|shall|would not bother|need|do|take|want|buy|pay|go|come|require|proceed
  i|we do not want|need|wish|like|care
`);
/** The same for what the deed would end. */
export const needing = lexicon('i|we still need|use|want');

/** Asks for or about something else: not a complete refusal. */
export const wishing = lexicon(`
  if|unless|provided|providing
  as long as
  make it|that
  can|could|would|will|do|does|did you|i|we|he|she|they
  can|could|would|will|does|did it|that|this
  is|are it|that|there|this|they
  how long|much|many|do|does|is|are|can|will
  what if|is|are|about|happens|time|does|do|would|will|was
  tell me
  go ahead|for
  i|we meant|asked
  i|we said the|a|on|at|for|to|it|my
  hang|hold on
  give|one|just a|me minute|moment|second|sec
  a minute|moment|second|sec
`);

export type Lexicon = ReadonlyMap<string, readonly Phrase[]>;

function lexicon(text: string): Lexicon {
  return indexed(phrasesOf(text, named), (phrase) => phrase);
}
