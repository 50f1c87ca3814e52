/**
 * Phrases that mean more than their words, as cheap yes-or-no features. Their weights are learnt, so an
 * occasional false match does little harm. English; other languages match none.
 */
export const patterns: readonly RegExp[] = [
  // Thanks, plain and ironic
  /\b(?:thanks?|thx|thank ?you|cheers|ty|tysm|appreciate[ds]?|grateful)\b/i,
  /\bthank(?:s| you)? (?:a (?:lot|bunch) )?for (?:nothing|wasting|ruining|los(?:ing|t)|making me|leaving|the (?:delay|wait|non))/i,
  /\b(?:great|nice|good|wonderful|fantastic|awesome|brilliant|perfect)[,.!]* (?:another|again|now|so now|job (?:losing|ruining|breaking))\b/i,
  /\b(?:just )?love (?:how|when|waiting|being|paying|sitting)\b/i,
  /\b(?:way to go|slow clap|yeah right|good luck getting|so much for|must be nice|nice try|smh|lol sure)\b/i,
  /^\W{0,3}(?:ok(?:ay)?|great|perfect|good|cool|fine|alright)?\W{0,3}thank(?:s| you)[^?]{0,40}$/i,
  /\bthank(?:s| you)\b[^?]{0,200}\?\s?$/i,
  // Waiting and repeating
  /\b(?:still|yet) (?:no|not|nothing|waiting|haven|hasn|isn|doesn|don|can)/i,
  /\b(?:again|twice|(?:second|third|fourth|fifth|sixth|\d+(?:nd|rd|th)) (?:time|day|week|month|call|email|attempt))\b/i,
  /\b(?:on hold|waiting|waited|wait) (?:for|since|over|forever|\d|an|all|more)/i,
  /\b(?:for|over|after|past|last|been) (?:the (?:last|past) )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|several|many) ?\+? ?(?:min|minute|hour|hr|day|week|month|year)s?\b/i,
  /\b(?:no ?(?:body|one)) (?:answers?|replie[ds]|cares?|helps?|knows?|picks?|calls?|came|is|at|on|to)\b/i,
  /\b(?:hung up|disconnected|cut off|transferred|ignored|bounced|passed (?:from|around))\b/i,
  // Things gone wrong
  /\b(?:broken|broke|damaged|faulty|defective|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|wrong|missing|lost|delayed|late|cancel+ed|cancel+ation|stuck|stranded|overcharged|denied|rude|dirty|cold)\b/i,
  /\b(?:doesn'?t|didn'?t|don'?t|won'?t|can'?t|cannot|isn'?t|not|never|stopped) (?:even )?(?:work|working|help|load|open|arrive|arrived|come|came|get|respond|answer|fix|be fixed)/i,
  /\b(?:my|our) (?:flight|bag|bags|luggage|order|package|parcel|refund|money|account|internet|phone|card)\b/i,
  // Judgements
  /\b(?:worst|terrible|horrible|awful|pathetic|useless|ridiculous|unacceptable|disgusting|disgrace|shame|joke|garbage|trash|sucks?|scam|rip-?off|incompetent|nightmare|disaster)\b/i,
  /\b(?:disappoint\w*|frustrat\w*|annoy\w*|upset|unhappy|angry|furious|fed up|sick of|tired of|outrag\w*|insult\w*)\b/i,
  /\b(?:best|amazing|awesome|excellent|wonderful|fantastic|perfect|great|lovely|love|brilliant|superb|outstanding|impressed|delighted|thrilled|happy|pleased)\b/i,
  /\b(?:never|not) (?:again|using|flying|buying|ordering|coming|recommend|happy|satisfied|impressed|good|great|amused|acceptable)\b/i,
  /\b(?:lost|losing) (?:a|me as a|my|your) (?:loyal )?(?:customer|business)\b|\bswitch(?:ing)? to\b/i,
  /\b(?:should have|used to be|supposed to|promised|was told|were told|expected)\b/i,
  /\b(?:f+u+c+k\w*|sh[i*]t\w*|damn|crap|wtf|bs|bullshit|hell|ass|fml|pissed|idiots?)\b/i,
  /#\w*(?:fail|worst|never|bad|sad|disappoint|poor|joke|horrible|terrible|angry)\w*/i,
  /#\w*(?:love|best|great|happy|awesome|thank|win|fan)\w*/i,
  /★★★★|\b(?:5|five|10|ten)(?:\/(?:5|10)| stars?| out of)\b|\b10\/10\b/i,
  /★☆|\b(?:0|1|2|zero|one|two)(?:\/(?:5|10)| stars?| out of)\b/i,
  // Questions and requests
  /\?\s?(?:https?:\S+\s?)?$/,
  /^\W{0,3}(?:hi|hey|hello)?\W{0,3}(?:what|when|where|which|who|how|can|could|do|does|is|are|will|would|may|should)\b/i,
  /^\W{0,3}(?:why|seriously|really|are you (?:kidding|serious)|how (?:hard|can you|do you|is (?:it|that))|what'?s the point|is any(?:one|body)|does any)\b/i,
  /\b(?:how (?:do|can|would|should|long|much|many|early)|what(?:'s| is| are) (?:the|your)|do you (?:have|offer|know|ship|sell|take)|is there|are there|can (?:i|we|you)|could (?:you|i)|may i)\b/i,
  /\b(?:i'?d like|i would like|i want to|i need to|looking for|wondering|quick question|please (?:send|tell|confirm|add|cancel|change|call))\b/i,
  /\b(?:please|pls|plz|kindly)\b/i,
  /\b(?:dm|sent|done|following|followed|confirmation|order number|number is|ref)\b/i,
  // Danger, crime, law, standstill, deadlines: what makes a matter urgent
  /\b(?:stolen|stole|fraud\w*|scam(?:med|mer)|hacked|hacker|unauthori[sz]ed|identity|phish\w*|ransom\w*|blackmail\w*|skimmed|cloned|impersonat\w*|forged)\b/i,
  /\b(?:did ?n'?t|never|not) (?:make|authori[sz]e|approve|me|mine|request|apply|my)\b|\bwas ?n'?t (?:me|us)\b|\bisn'?t my signature\b/i,
  /\bsome(?:body|one)\b.{0,80}\b(?:my|our|account|card|logged|using|used|took|withdrew|changed|access)\b/i,
  /\b(?:fire|smoke|gas|burn(?:ed|ing|t)?|bleed\w*|injur\w*|hurt|ambulance|hospital|poison\w*|carbon monoxide|electr\w+|spark\w*|explo\w+|collapsed|unconscious|breathe?|seizure|allergic|chest pain|overdose|flood\w*|leak\w*)\b/i,
  /\b(?:child|kid|kids|son|daughter|baby|toddler|newborn|year[- ]old|yo)\b/i,
  /\b(?:lawyers?|attorneys?|solicitors?|su(?:e|ing)|lawsuit|legal (?:action|proceedings|steps)|court|tribunal|police|ombudsman|litigation|regulator|press(?:ing)? charges|barrister|counsel)\b/i,
  /\b(?:breach|leaked|leak of|personal data|someone else'?s|somebody else'?s|other (?:people|customer|client)\w*'?s?|another (?:customer|person|patient|client)\w*'?s?|stranger'?s?)\b/i,
  /\b(?:locked (?:me |us )?out|can'?t (?:log|get|sign) in(?:to)?|access denied|suspended|frozen|blocked)\b/i,
  /\b(?:in (?:\d+|five|ten|fifteen|twenty|thirty|forty|half an?|an|one|two|a quarter of an) ?(?:min|minute|hour)s?|(?:today|tonight|tomorrow|midnight|noon) at|by (?:\d|noon|midnight|tonight|end of day)|deadline|due (?:today|tonight|at)|expires (?:today|tonight)|at midnight|closes (?:in|today|tonight|at)|starts in|begins in|leaves in)\b/i,
  /\b(?:(?:all|entire|whole|every|none) (?:of )?(?:our|the|my|us|stores?|system\w*|company|shop|office|team|tills?|terminals?|machines?)|everything is|standstill|outage|(?:is|are|were|went|been) (?:all )?down|offline|can'?t (?:take|serve|operate|work|dispense|process|sell|open))\b/i,
  /\b(?:now|right now|immediately|at once|this (?:minute|second|moment|instant)|as we speak|hurry|emergency|help me|stop (?:it|this|the))\b/i,
  /\b(?:threat\w*|danger\w*|stalk\w*|assault\w*|abus\w*|violen\w*|weapon|armed|attack\w*|kill|suicid\w*|die|dying|end it all|hurt myself|unsafe|scared)\b/i,
  /\b(?:had enough|enough is enough|end of my rope|wit'?s? end|breaking point|last straw|can'?t (?:take|do) (?:it|this) any ?more|losing (?:my mind|it)|i(?:'m| am) done|past angry|shaking|screaming)\b/i,
  /\b(?:\d+(?:th)?|five|six|seven|eight|nine|ten|eleven|twelve|fifth|sixth|seventh|eighth|ninth|tenth) (?:\w+ )?(?:times?|calls?|emails?|agents?|tickets?|attempts?|promises|appointments|deliver\w+)\b/i,
  /\b(?:manager|supervisor|boss|in charge|somebody with authority|real person|a human|escalate)\b/i,
  // The same, happening at this moment and to the writer
  /\b(?:(?:on|caught|catch(?:es|ing)?) fire|in flames|smoke (?:is )?(?:coming|from|in|out)|smell(?:s|ing)? (?:of )?gas|gas leak|leaking gas|sparking|bleeding|(?:can'?t|not) breath(?:e|ing)|unconscious|collapsed|electric shocks?|trapped|stuck in (?:the|a|an|your) (?:lift|elevator))\b/i,
  /\b(?:card|wallet|purse|handbag|bag|phone|identity|account)s?\b.{0,40}\b(?:stolen|robbed|snatched|nicked|skimmed|cloned|hacked|taken over|emptied)\b/i,
  /\b(?:all|every|none|whole|entire|nothing|nobody|complete(?:ly)?|total(?:ly)?)\b.{0,40}\b(?:down|offline|dead|idle|standstill|stopped|frozen|standing still|works|can work|log in|moves)\b/i,
  /\b(?:i(?:'ll| will|'m| am)|we(?:'ll| will|'re| are)|my|our|you(?:'ll| will)|from)\b.{0,40}\b(?:su(?:e|ing)|court|lawyers?|attorneys?|solicitors?|lawsuit|legal action|police|charges)\b/i,
  /\b(?:see|seeing|looking at|shows?|got|received|sent|public(?:ly)?|visible|leak(?:ed|ing)?|downloadable|exposed)\b.{0,60}\b(?:someone else|somebody else|another|other|strangers?|everyone|every|personal|patients?|salar(?:y|ies)|passwords?|medical)\b/i,
  // What takes the edge off
  /\b(?:how (?:do|can|does|would) (?:i|you|we|your)|what (?:happens|should|if|do you)|in case|if (?:my|i|someone|somebody|a) \w+|suppose|would|prevent|protect|protection|policy|procedure|covered?|safe)\b/i,
  /\b(?:last (?:year|summer|winter|month)|years? ago|months ago|back then|in (?:19|20)\d\d|turned out|false alarm|already (?:solved|fixed|resolved)|no (?:hurry|rush)|not urgent|whenever)\b/i,
  /\b(?:solved|resolved|sorted|fixed|works now|working (?:again|now)|back up|all (?:good|set|fine)|in time|found|refunded)\b/i,
  /\burgent(?:ly)?\b|\basap\b/i,
];
