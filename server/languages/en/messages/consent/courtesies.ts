import type { Weight } from './weight.ts';

/** Indirect agreement, and additions to a yes out of courtesy, relief or praise. */
export const courtesies: readonly [Weight, string][] = [
  [
    'yes',
    `yesss|yessss|yeahh|yepp|yeppers|yuppers|yesindeed|indeedy|oui|si|ja|yer|gladly
    yes siree|sir|indeed|indeedy
    but? of course
    damn|dead|bloody|darn|quite right|straight
    right you are
    right|righty|rightie o|oh|ho
    rightio|righty|rightyo
    {so} is a|my big|definite|firm|resounding|hard|clear|massive|wholehearted? yes
    a big|definite|firm|resounding|clear? yes
    yes from me|us
    i|we say yes
    yes|yeah i|we say
    sure is|does
    you know it
    you can bet on {it}
    amen to? {it}?
    my|our answer is yes
    the answer is yes`,
  ],
  [
    'right',
    `{all} is|are {very}? {true}
    {so} is my|our|the new|current|full|proper|exact|home {thing}|home|house|place
    you have|got it all? spoton
    {all} {very}? {true}
    {all} is|are in order
    all present and correct
    {so} matches|tallies
    {so} really|certainly|definitely|absolutely|surely|indeed|sure is|does
    the|that|this|my|our|your|those|these {thing} is|are {very}? {true}
    you have|got {it}|everything down? {very}? {true}
    you have got it
    i am afraid so
    afraid so`,
  ],
  [
    'deed',
    `go on ahead
    yes|yeah|yep|ok|aye|please go
    go straight|right|on? ahead with|and? {it}? now?
    you have|got my|our go ahead|word|yes|approval|consent|permission
    you have|got the|a green light|thumbs? up?
    you have|got the go ahead
    you can|may|should|could go right? ahead
    you can|may|should do {it}|so
    all systems go
    {so} is a go
    full speed ahead
    onwards and upwards
    press|push on
    press|push|hit|click the button
    hit it|send|go
    lock {it} in
    get on with {it}
    get {it} sorted|arranged|started|going|moving|organised|organized out?
    get cracking|going|started
    let us roll|rock|proceed|crack
    let us get|have {it} done|sorted|going|moving|started|over out?
    let us crack on
    let us get on with {it}
    sort {it} out for? {us}?
    sort {us} out
    just? see to {it}
    just? take care of {it}
    yes|yeah|yep|sure|ok|oh|absolutely|please do
    if you would|could please|kindly
    please if you would|could
    if you would|could be so kind|good
    if you would not mind
    do if you would|can|could
    i|we would|do|am|are {very}? like|love|want|ready|happy|glad|fine|keen|willing|delighted|prepared to go ahead|proceed
    i|we would|do|am|are {very}? like|love|want|ready|happy|glad|fine|keen|willing|delighted|prepared to go ahead with {it}
    i|we would|do|am|are {very}? like|love|want|ready|happy|glad|fine|keen|willing|delighted|prepared to agree|accept|approve|confirm {it}?
    i|we am|are {very}? happy|fine|ok|good|content for {it} to go ahead|through|happen
    i|we authorise|authorize|approve|confirm|accept|okay {it}
    i|we give|am|are giving you my|our|the go ahead
    i|we will|would go ahead with|and? {it}?
    i|we will|would go for|with {it}
    i|we will accept {it}
    process|submit|complete|finalise|finalize|finish|arrange|organise|execute|approve|handle|authorise|authorize {it}
    just go right|on? ahead
    just do {it}
    put {it} through
    run with {it}`,
  ],
  [
    'agree',
    `{so} fits|suits|works nicely|well|perfectly|brilliantly|fine|great|beautifully for|with? {us}?
    {so} fits {us} {very}? {good}|well|nicely|perfectly?
    {so} fits the bill
    {so} does|will do the trick|job
    {so} is {very}? {better} for|with? {us}?
    {so}? works|suits|sounds|fits {us}? {very}? {better} for|to? {us}?
    {so} would be {very}? helpful|useful|appreciated|welcome|handy|{better}
    {so} would be a|such|the a? {good}? {blessing}
    {so} helps {us}? a? lot|loads|{very}?
    {so} would help {us}? out?
    {so} would|will suit {us}? {very}? {good}|nicely|well|perfectly
    {so} would|will work out {very}? {good}|nicely|well|perfectly
    {so} would be of? {very}? great? help
    {so} would make my|our day|life|week|evening easier?
    {so} would {very}? help us|me|out|lots?
    {so} would do {it}|nicely
    {so} is just|exactly the|a thing|job|ticket|one
    {so} is just|exactly? what i|we was|were|am|are after|wanting|needing|hoping|looking for?
    {so} is just|exactly? what i|we have? had in mind
    {so} is just|exactly what the doctor ordered
    {so} is the one i|we want|need|wanted|meant|mean
    {so} is just|exactly how|as i|we want|like|need|wanted|planned it?
    just|exactly the job|ticket|thing|one
    {so} is|are|sounds more|better than {good}
    {very} want|like|love {it}
    just what i|we want|wanted|need|needed|asked|hoped for?
    the|that|this|those|these {detail} is|are|sounds|looks|seems|works {very}? {good}
    the|that|this|those|these {detail} works|suits|fits for? {us}?
    those|these|all is|are|sounds|looks {very}? {good}
    {good} by|for|with me|us|everyone|everybody
    {good} on|from my|our end|side|part
    i|we have|got got? no|zero problem|problems|issue|issues|objection|objections|complaints|trouble with {it}
    i|we cannot|could not? argue|complain|quarrel|fault with? {it}?
    i|we? cannot see|think|imagine why|how not
    i|we? do not see|know why not
    i|we? cannot see|think of? a|any|one? reason|reasons why? not to?
    i|we? do not see|have a|any? reason|reasons why? not to?
    i|we? do not see|have a|any? problem|problems|issue|issues|objection|objections with? {it}?
    i|we? see no problem|objection|issue|issues|problems|objections with? {it}?
    i|we? see|have no reason why? not to?
    no reason why? not to?
    i|we could not be happier
    could not be better
    i|we could not agree more
    why would|should not i|we|you
    why ever|on not
    how could i|we say no
    how can|could i|we refuse|resist
    what is not to like|love
    do not mind if i|we do
    i|we would be mad|silly|crazy|a|foolish|daft fool|idiot? not to
    music to my|our ears
    you read my|our mind
    now you are talking
    say no more
    you have|had? convinced|persuaded|sold me|us
    sign me|us up
    happy|glad|fine to do so|{it}
    i|we am|are|would be? more than happy|fine|pleased with|for {it}
    i|we am|are|was|were hoping|praying you would say {it}|so
    i|we am|are|was|were hoping so|for {it}
    all ready|good|set to go
    i|we|you am|are good|ready to go
    would|could|will|can you please? thank you so|very? much?
    would|could|will|can you please? thanks|cheers|ta
    would|could you do {it}? please
    if you would|could|can please? {so} would be {very}? {good}|helpful|kind|useful|handy|appreciated
    if you would|could|can i|we would be {very}? grateful|obliged|happy|delighted|thankful
    if you would|could|can i|we would {very}? love|like|appreciate {it}
    i|we would be {very}? obliged|pleased|chuffed|thrilled|relieved
    i|we {very} do|would
    i|we would {very}? be|have {very}? grateful|thankful`,
  ],
  [
    'praise',
    `{very}? magnificent|outstanding|phenomenal|exceptional|fabulous|gorgeous|glorious|incredible|impeccable|wicked|class|tops|tiptop|peachy|cushty|bonzer|tremendous|spectacular|sensational|sublime|stunning|faultless|flawless
    hunky dory
    tickety boo
    jolly good
    cool beans
    just the ticket|job|thing`,
  ],
  ['mild', `why not`],
  [
    'unsure',
    `{so}? is|sounds|seems|looks {very}? reasonable|fair|sensible|decent|generous|thoughtful|wise|logical|cheap|affordable|plenty|delicious|tasty|tempting|promising
    nothing to add|change|correct
    nothing else|more to? add|say? thank? you?
    nothing else thanks|needed
    nothing wrong with|about that|there
    {so} sounds|is fair enough
    all|everything {very}? {good}
    exactly those|these|that|it
    those|these ones?
    i|we am|are aware of? {it}?
    nothing against that
    {good} timing|news
    {so} is where i|we live|am|are now?
    poor thing|love|lad|lass|boy|girl|man|woman|mite|soul
    i|we do not mind
    would not mind
    bye|goodbye now|then?
    bye bye
    unfortunately|sadly|regrettably
    have a {very}? good|great|nice|lovely|wonderful day|one|evening|weekend|afternoon|morning
    you too
    i|we am|are {very}? sorry
    {good} that
    if possible
    if {so} is alright|ok|possible|fine with|by|for? you?
    if {so} is no trouble|bother|problem|hassle
    if {so} is not too? much? a|any? trouble|bother|problem|hassle|much
    if you can
    if you do not mind
    as you wish|please|suggest|suggested|propose|proposed|recommend|recommended
    from my|our side|end|point
    i|we am|are {very}? hungry|starving|famished
    sorry i|we was|were on mute|muted|away|distracted
    sorry i|we had you on mute
    sorry i|we am|are|was|were back|here|with you
    i|we will|would be there|in|home|ready|around|available|free|here|waiting then?
    someone|somebody will|would be there|in|home|around|available|here|waiting
    i|we am|are free|available|around|home|in then|there
    i|we cannot wait
    i|we am|are {very}? looking forward to {it}
    looking forward to {it}
    {it} is high|about time
    about time too?
    i|we have? been waiting for {it}|ages|days|weeks|so?
    you have? twisted my arm`,
  ],
  ['heard', `i|we? understand|understood {it}?`],
  [
    'thanks',
    `{so} is|would be {very}? {very}? kind|generous|thoughtful|considerate|decent|gracious|nice|helpful|lovely of? you?
    you are {very}? amazing|brilliant|wonderful|fantastic|great|awesome|efficient|generous|thoughtful|patient|lovely|marvellous
    you are doing|have done a {very}? great|good|fantastic|brilliant|wonderful job
    you have? been {very}? helpful|kind|great|brilliant|patient|lovely|wonderful|fantastic
    you have? been a|an|the {very}? great|big|huge|real|star|angel|legend|help help?
    thanks|thank you? for that|doing|sorting|offering|arranging|your that|this|it|out|help|offer|patience|time?
    {very}? much? obliged|appreciated
    i|we {very} appreciate {it}
    i|we owe you one
    many|huge|big|great thanks
    with many? thanks
    and thank you
    and thanks
    {good} service|work|job
    what a|an {very}? star|legend|gem|angel|hero|treasure|champ|gent|gentleman|lady`,
  ],
  [
    'nothing',
    `happily|nicely|beautifully|thankfully|luckily|fortunately|truly|sincerely|willingly|readily|seriously|genuinely|wholeheartedly|cheerfully
    hurrah|woo|woohoo|whoo|yippee|bingo|bravo|cor|gee|golly|crumbs|gosh|whoop|wahey|yahoo|hallelujah|eureka|crikes|strewth|wowzers|ooo|ahh|aww|huzzah|hurray|tada
    thank god|goodness|heavens|christ|fuck
    thank the lord
    at last
    at long last
    what a|such a? {very}? {blessing}
    fingers crossed
    touch wood
    no sweat|drama|dramas|stress|fuss|biggie|complaints|questions|notes|mistakes|mistake|error|errors|qualms|regrets|hesitation|bother|argument|arguments from|with|at|on|here|there? me|us|all|that|it?
    no questions|problem|issue|complaints asked|here
    no problem|problems|issue|issues with {it}
    no problem|issues on my|our end|side
    without hesitation|question|reservation|fail
    as far as i|we am|are concerned
    for me|us personally?
    personally
    to be honest|fair
    {it} is for me|us
    after all
    if you please
    hand on heart
    bless
    all the way
    and all
    from the bottom of my heart
    i am so|very glad|relieved|excited|thrilled|grateful|thankful
    i|we am|are {very}? delighted|thrilled|relieved|excited|glad|grateful|thankful|chuffed|overjoyed
    {so} is a|such|an a? {good}? {blessing}
    over the moon
    i|we do not mind at all`,
  ],
];

/** Phrases for giving back. */
export const givingBack = `pay|give|put|transfer {it}|me|us back
  pay|send|give|put|transfer|return|get me|us? the|my|our|that refund|money back?
  return|repay {it}|me|us`;

/** Phrases for removing something, some of them for good. */
export const takingOff = `take|get|turn|switch {it}|them off
  remove|delete|scrap|bin|axe|ditch|terminate|end {it}|them`;
export const noUse = `i|we do not need|use it|them any more|longer
  i|we do not need|use it|them anymore
  i|we no longer need|use|want it|them
  i|we never|hardly|rarely even|ever? use|used|uses it|them anyway?
  {it} is a|such a? {very}? waste of money
  i|we cannot come|go|attend now?
  i|we cannot make it now?
  something has|have? come|came up`;

/** Reasons to block something. */
export const losses = `{it} was|is|has|got been? stolen|lost|gone|missing|nicked|pinched
  i|we have? lost it|them
  someone|somebody has? stole|stolen|took|taken|nicked|got it|them`;

/** Phrases for pausing something. */
export const pausing = 'put {it}|them on hold|pause';

/** Reasons to want something. */
export const longing = `i|we {very}? need|love|like {it}|them|those
  {it}|they is|are {very}? needed`;
