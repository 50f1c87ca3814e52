import { courtesies, givingBack, longing, losses, noUse, pausing, takingOff } from './courtesies.ts';
import { indexed, type Phrase, phrasesOf } from './phrases.ts';
import type { ReadBack } from './read-back.ts';
import { canonical, stemsOf } from './vocabulary.ts';
import type { Weight } from './weight.ts';

const named = {
  so: 'that this it which everything',
  all: 'they those these all everything',
  very: 'very really so absolutely totally perfectly quite exactly completely pretty indeed definitely certainly much truly utterly simply extremely entirely incredibly awfully terribly super all most just perfectly surely thoroughly wholly fully bloody jolly dead pure proper',
  good: `fine ok alright good great perfect lovely wonderful brilliant excellent ideal grand super superb fantastic amazing awesome
    nice cool handy splendid marvellous fab fabulous acceptable agreeable sound sweet magic dandy correct right spoton smashing champion ace brill mint terrific stellar beautiful delightful mighty
    magnificent outstanding phenomenal exceptional tremendous gorgeous glorious incredible convenient doable manageable suitable satisfactory
    peachy neat tiptop top tops class wicked flawless faultless impeccable cushty bonzer solid`,
  better: 'better cheaper easier quicker nicer safer simpler handier best easiest',
  blessing:
    'relief help bargain deal godsend blessing joy treat delight dream pleasure lifesaver result steal',
  true: 'right correct accurate true spoton exact',
  us: 'me us',
  it: 'it that this',
  thing:
    'number address email name card account order one plan booking appointment date day time price cost amount details detail information data spelling offer total rate slot size',
  detail: 'date day time price cost amount details detail information data spelling total rate slot size',
};

/** Words for something that is as it should be. */
export const approving: ReadonlySet<string> = new Set(named.good.split(/\s+/));

const phrases: readonly [Weight, string][] = [
  [
    'yes',
    `yes|yeah|yep|yup|yea|yeh|yah|ya|yas|yess|yus|yass|aye|mhm|affirmative|roger|indeed|righto|yessir
    absolutely|definitely|certainly|totally|sure|naturally|defo|deffo|course
    of course
    sure thing
    for sure|definite|certain
    surely yes
    you bet|betcha
    too right
    very much so
    without a|any doubt
    no doubt
    one? hundred|100 percent
    ok doke|dokey|dokie
    very well
    it|that is|will a big? yes
    i|we already|just? said yes|yeah
    without question
    i|we am|are {very}? sure|certain|positive
    yes|yeah i|we am|are
    deal|sold
    it is a deal
    ten four
    i|we would say yes|so
    green light`,
  ],
  [
    'okay',
    `ok|alright
    ok|alright then`,
  ],
  [
    'right',
    `correct|exactly|precisely|spoton
    dead right|on
    {so}? is {very}? {true}
    you are {very}? {true}
    you|you have|ve have? got? {it}|that|everything {very}? right|correct
    you got|have it right
    you got|have it
    got it in one
    exactly {it}|so|right`,
  ],
  [
    'deed',
    `go right? ahead
    go for it
    go on
    go on then|so
    go with {it}
    go right? on? ahead with {it}
    do {it}|so
    do please
    please do
    please do {it}|so
    do go ahead
    by all means
    fire|work|crack away|on|ahead
    proceed
    make it so|happen
    get {it} done
    let us? do {it}
    let us? go
    let us? go ahead
    let us? go for|with {it}
    do the needful
    do your thing
    on you go
    have at it
    full steam ahead
    give me|us my|our refund
    confirm|confirmed
    i|we can? confirm {it}?
    be my guest
    you do that
    you go ahead
    i|we accept|agree|approve|consent
    i|we accept|approve|authorise|authorize {it}
    i|we agree|consent to|with {it}
    agreed|accepted|approved|granted|authorised|authorized
    you have my permission|blessing|ok|approval|consent
    consider it|that agreed|approved
    i|we give you my|our? permission|consent|ok
    permission granted
    pop|put|stick|slot|squeeze|sign me|us|him|her in|down|up`,
  ],
  [
    'agree',
    `{so} is|are|sounds|looks {very}? {very}? {good}
    is|are|sounds|looks {very}? {very}? {good}
    {so}? would|will be {very}? {very}? {good}|ok
    {so}? works {very}? {good}|well|perfectly|nicely for? {us}?
    {so} does|will work {very}? {good}|well|perfectly|nicely? for? {us}?
    {so} does|works
    works|suits
    {so}? works for {us}
    {so}? suits {us} {very}? {good}|well|perfectly?
    {so}? suits {very}? {good}|well|perfectly
    {so} will do nicely|{good}|perfectly|well?
    {so}? sounds|looks like a {good}? plan|idea|deal|winner
    sounds a {good}? plan
    {so}? is a {good} plan|idea
    {good} plan|idea|call
    {so} is the one|ticket|idea|plan
    {so} is exactly? what it says|shows|reads
    {so} is exactly? what i|we have|got|see
    {so} is a|an {very}? {good} price|deal|time|day|offer|rate|choice|one
    {so} is exactly? what i|we want|wanted|need|asked|said|meant for?
    {so} is my|the|our right|correct? {thing}
    {so} is my|our {very}? {true} {thing}
    all {very}? {true}
    fine|ok|good|great|grand|alright|perfect|cool by|with|for|to {us}
    {so} is {very}? fine|ok|good|great|grand|alright|perfect|cool by|with|for|to {us}
    {so} is all {good}
    i|we am|are all for {it}
    all for it
    exactly what i|we want|wanted|need|asked for?
    i|we can make|do|manage {it}
    down to the ground
    happy|fine|ok|good|great|grand|alright|perfect|cool with {it}
    i|we am|are {very}? happy|fine|ok|good|cool|comfortable|pleased|delighted|content|alright with|for|about {it}
    i|we would|do|will {very}? much? like|love|appreciate|want {it} {very}? much?
    i|we want {it}
    i|we would {very}? love|like to
    i|we do want {it}
    i|we have no objection|objections|problem with? {it}?
    thumbs up
    {so} would be a|an {very}? great|big|huge|real|enormous? help
    {so} would help
    i|we would be {very}? grateful|delighted|happy|thankful|glad
    sounds {very}? {good} to {us}
    {so}? sounds|looks {very}? {good} to|for {us}
    happy days
    count me|us in
    i|we am|are in
    i|we am|are {very}? up|game for {it}`,
  ],
  [
    'praise',
    `{very}? perfect|excellent|wonderful|brilliant|lovely|fantastic|ideal|super|superb|amazing|awesome|great|splendid|marvellous|cool|fab|fabulous|sweet|smashing|champion|ace|brill|mint|terrific|stellar|beautiful|delightful
    lovely jubbly
    great|lovely|good stuff`,
  ],
  [
    'mild',
    `{very}? fine|grand
    good|fine|grand|great|perfect so`,
  ],
  [
    'please',
    `please|kindly|pleasee
    if you please`,
  ],
  [
    'unsure',
    `hmm|hm|mm|mmm
    fair enough
    if you would|could please?
    if you would|do not mind
    continue|carry on?
    sorry
    would|could|can|will you please
    {so} is all|everything for? now?
    {so} is the lot
    no changes|change|corrections
    {so} is it|me|mine|us|ours`,
  ],
  [
    'thanks',
    `thank you
    thanks|ta|cheers|thx|tysm
    thanks|thank|cheers you? very|so|ever? much|kindly
    thanks|thank|cheers you? a lot|million|bunch|lot
    thanks|thank|cheers you? again|loads|indeed|too?
    thanks|thank you? for {it}|everything|asking|checking|helping
    {very}? much appreciated
    i|we {very}? appreciate {it}
    i|we {very}? appreciate your help
    for your|the|all? your? help|time|patience|assistance|trouble
    {so} is {very}? kind|helpful|nice|sweet|good of? you?
    you are {very}? {very}? kind|helpful|good|nice|sweet
    you are a|an|the star|legend|angel|gem|lifesaver|best|hero|treasure|saint|dear
    bless you
    god bless
    good man|lad|woman|girl|job|stuff|work
    nice one|work
    well done`,
  ],
  [
    'nothing',
    `oh|ooh|oooh|ah|aah|aw|wow|well|so|ha|haha|lol|yay|hooray|phew
    god|gosh|goodness|heck|hell|damn|jeez|jesus|christ|lord|heavens|blimey|crikey
    oh my god|goodness|gosh|days?
    actually|honestly|obviously|basically|literally|really|finally
    you know
    i mean
    like|look|listen
    as|like i said|say|told
    as|like you said|say|told|described
    as agreed|discussed|stated|described|planned|above|before?
    just as|like you said|say
    the way you said
    no problem|problems|worries|bother|hassle|trouble|issue|issues at? all|whatsoever?
    not a problem|bother|hassle|worry at? all?
    {so} is no problem|bother|trouble|hassle
    right
    right then|so
    all? good
    it|that|they is|does
    i do|would
    you can|may
    from|for|on|with|by me|us
    you know what
    all of it|that
    i|we will be in|there|home|ready|waiting|around
    i|we will be at home|work
    see you then|there|soon
    {it} one
    to|with {it}
    with pleasure
    my pleasure`,
  ],
];

const objections = `no objection|objections at? all|whatsoever?
  none at? all|whatsoever?
  not at all
  i|we do not mind at? all?
  not a bit`;

interface Assent {
  phrase: Phrase;
  weight: Weight;
}

const lexicon = (...all: readonly (readonly [Weight, string])[]) =>
  indexed(
    all.flatMap(([weight, text]) => phrasesOf(text, named).map((phrase): Assent => ({ phrase, weight }))),
    ({ phrase }) => phrase,
  );
type Lexicon = ReturnType<typeof lexicon>;

const always = lexicon(...phrases, ...courtesies);
type Asked = Pick<ReadBack, 'asks' | 'deeds' | 'ownDeeds'>;
const does = (deeds: string) => {
  const stems = stemsOf(deeds);
  return ({ ownDeeds }: Asked) => [...ownDeeds].some((deed) => stems.has(deed));
};
/** Phrases that agree only with certain read-backs. */
const sometimes: readonly (readonly [(asked: Asked) => boolean, Lexicon])[] = [
  [({ asks }) => asks.has('objection'), lexicon(['agree', objections])],
  [({ deeds }) => deeds.has(canonical('refund')), lexicon(['deed', givingBack])],
  [does('cancel remove delete terminate'), lexicon(['deed', takingOff], ['unsure', noUse])],
  [does('freeze pause suspend'), lexicon(['deed', pausing])],
  [does('order buy book get'), lexicon(['unsure', longing])],
  [does('block'), lexicon(['unsure', losses])],
];

/** Phrases that agree with a question, or add nothing to agreement, by their first word. */
export function assentsFor(asked: Asked): (word: string) => readonly Assent[] {
  const lexicons = [always, ...sometimes.flatMap(([isFor, lexicon]) => (isFor(asked) ? [lexicon] : []))];
  return (word) => lexicons.flatMap((each) => each.get(word) ?? []);
}

/** Phrases before the name of a deed: "you can", "I'd like you to". */
export const openers: readonly Phrase[] = phrasesOf(
  `go right|on? ahead and
  go on and
  please|just|kindly
  you|he|she|they can|may|could|should just?
  let us
  i|we still? want|need you? to
  i|we would|do still? like|love|want you? to
  i|we am|are happy|fine|ok|good for you to
  feel free to
  do
  have|let them|him|her|someone|somebody
  get them|him|her|someone|somebody to
  i|we confirm|agree that? you can|may`,
);

/** The same as a question, which beside a yes is not a question. */
export const requests: readonly Phrase[] = phrasesOf('could|would|can|will you please|kindly|just?');

/** Phrases before a wanted thing: "I'd like the blue one". */
export const wishes: readonly Phrase[] = phrasesOf(
  `i|we can do|make|manage
  let us do|have|take
  let us go with|for
  put me|us on|onto|down for?
  i|we still? want
  i|we would|do still? like|love|want
  i|we will take|have`,
);

/** How people address an agent without its name. */
export const addresses: readonly Phrase[] = phrasesOf(
  `mate|love|darling|dear|sunshine|treacle|ducky|lovey|lovie|hen|babe|babes|honeybun|chum|fella|lass|captain|skipper|guv|guvnor|governor|amigo|comrade|sis|brother|fam|sugar|poppet|flower|princess|pal|buddy|bud|man|sir|madam|mam|miss|mister|hun|hon|honey|lad|lads|friend|boss|chief|doll|duck|petal|sweetheart|sweetie|bro|dude|folks|guys|ladies
  my friend|dear|love|darling|lovely|man
  my good sir|man|friend`,
);
