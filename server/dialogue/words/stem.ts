/**
 * Stem of a lower-case English word, so that "cancelled", "cancelling" and "cancellation" meet.
 * Irregular forms and everyday derivations come first, then Porter's suffix rules
 * (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980).
 */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const result = /^[a-z]+$/.test(word)
    ? stripSuffixes(irregular.get(american(word)) ?? american(word))
    : word;
  if (cache.size > 50_000) cache.clear();
  cache.set(word, result);
  return result;
}

const cache = new Map<string, string>();

/** British spelling to American, so that both meet in one index term. */
export function american(word: string): string {
  const whole = british.get(word);
  if (whole) return whole;
  if (word.length > 5) {
    if (
      /[^aeiou]our(s|ed|ing|ite|ites|able|ful)?$/.test(word) &&
      !/^(hour|four|tour|pour|court|your|detour|contour)/.test(word)
    )
      return word.replace(/our(?=(s|ed|ing|ite|ites|able|ful)?$)/, 'or');
    if (/(is|ys)(e|es|ed|ing|ation|ations|er|ers)$/.test(word) && !notIze.test(word))
      return word.replace(/s(?=(e|es|ed|ing|ation|ations|er|ers)$)/, 'z');
  }
  return word;
}

const notIze =
  /(advis|aris|compris|compromis|devis|disguis|excis|exercis|franchis|improvis|merchandis|otherwis|precis|premis|promis|prais|rais|revis|supervis|surpris|televis|wis|nois|pois|cruis|bruis|likewis|expertis|adverti|poison|prison|season|dis|vis|rais)/;

function pairs(text: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const line of text.trim().split('\n')) {
    const [to, ...from] = line.trim().split(/\s+/);
    if (to) for (const word of from) map.set(word, to);
  }
  return map;
}

const british = pairs(`
  center centre centres
  meter metre metres
  liter litre litres
  theater theatre theatres
  tire tyre tyres
  gray grey
  license licence licences licenced
  program programme programmes
  catalog catalogue catalogues
  jewelry jewellery
  installment instalment instalments
  fulfill fulfil fulfils
  enroll enrol enrols
  traveling travelling
  travel travelled traveller
  cancel cancelled
  canceling cancelling
  check cheque cheques
  aluminum aluminium
  mold mould
  pajamas pyjamas
  skeptical sceptical
  defense defence
  offense offence
  analyze analyse analysed analysing
  practice practise
  inquiry enquiry enquiries inquiries
  inquire enquire
  aging ageing
  mom mum
  cozy cosy
  counselor counsellor
  jeweler jeweller
  modeling modelling
  labeled labelled
  labeling labelling
`);

const irregular = pairs(`
  be is are was were been being am
  break broke broken breakage breakages breaking
  pay paid payment payments paying payable payer
  buy bought buyer buyers
  send sent sending
  lose lost loss losses losing
  sell sold seller sellers selling
  child children kids kid
  person people persons
  foot feet
  tooth teeth
  keep kept
  leave left
  take took taken taking
  give gave given giving
  go went gone going goes
  come came coming
  get got gotten getting
  make made making
  find found
  tell told
  say said says
  write wrote written writing
  choose chose chosen choosing choice choices
  speak spoke spoken
  steal stole stolen theft
  forget forgot forgotten
  wear wore worn
  begin began begun beginning
  drive drove driven
  eat ate eaten
  sleep slept
  meet met
  hold held
  build built
  bring brought
  teach taught
  know knew known
  do did done does doing
  have has had having
  see saw seen
  hear heard
  feel felt
  fall fell fallen
  grow grew grown
  spend spent
  lend lent
  win won
  swim swam swimming
  deliver delivery deliveries delivered delivering
  ship shipping shipment shipments shipped shipper
  arrive arrival arrivals arriving arrived
  refund refundable refunds refunded refunding
  reserve reservation reservations reserved
  cancel cancellation cancellations canceled canceling cancelable cancellable
  subscribe subscription subscriptions subscriber subscribers
  register registration registrations registered
  install installation installations installer
  renew renewal renewals renewable
  replace replacement replacements
  complain complaint complaints
  approve approval approvals
  expire expiration expiry expires expiring
  member membership memberships members
  verify verification verified verifies
  authenticate authentication
  identify identification identity identities id ids
  notify notification notifications notice notices
  modify modification modifications modifed
  confirm confirmation confirmations
  activate activation
  apply application applications applied applicant applicants
  eligible eligibility
  available availability
  remove removal removals
  dispose disposal
  collect collection collections
  withdraw withdrawal withdrawals withdrew withdrawn
  transfer transfers transferred transferable
  accessible accessibility
  compensate compensation
  bill billing bills billed
  book booking bookings booked
  open opening opens opened
  close closing closes closed closure
  depart departure departures
  safe safety safely
  secure security securely
  permit permission permitted permits
  require requirement requirements required requires
  recommend recommendation recommendations
  inspect inspection inspections
  diagnose diagnosis diagnostic
  treat treatment treatments
  insure insurance insured insurer
  appoint appointment appointments
  consult consultation consultations
  invest investment
  adjust adjustment adjustments
  manage management manager managers
  own owner owners owned
  use usage used using user users
  connect connection connections connectivity
  protect protection
  reduce reduction reductions
  exclude exclusion exclusions excluded
  include inclusion included includes including
  extend extension extensions
  translate translation translations translator
  decide decision decisions
  receive receipt receipts
  prescribe prescription prescriptions
  accept acceptance accepted accepts acceptable
  clean cleaning cleanings cleaner
  heat heating heater
  donate donation donations
  educate education educational
  found founded founder founders
  process processing processed processes
  locate location locations located
  repair repairs repaired repairing
  damage damages damaged
  store stores
  storage storing stored
  free freely
  monthly monthly
`);

const isVowel = (word: string, i: number): boolean => {
  const c = word[i];
  if (c === undefined) return false;
  if ('aeiou'.includes(c)) return true;
  return c === 'y' && i > 0 && !isVowel(word, i - 1);
};
const hasVowel = (s: string) => [...s].some((_, i) => isVowel(s, i));
const measure = (s: string): number => {
  let m = 0;
  for (let i = 1; i < s.length; i++) if (isVowel(s, i - 1) && !isVowel(s, i)) m++;
  return m;
};
const endsDouble = (s: string) => s.length > 1 && s.at(-1) === s.at(-2) && !isVowel(s, s.length - 1);
const endsShort = (s: string) =>
  s.length > 2 &&
  !isVowel(s, s.length - 1) &&
  isVowel(s, s.length - 2) &&
  !isVowel(s, s.length - 3) &&
  !/[wxy]$/.test(s);

const step2: [string, string][] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const step3: [string, string][] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const step4 =
  /^(.*?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

function stripSuffixes(word: string): string {
  if (word.length < 3) return word;
  let w = word;
  if (w.endsWith('sses') || w.endsWith('ies')) w = w.slice(0, -2);
  else if (w.endsWith('s') && !w.endsWith('ss') && !w.endsWith('us')) w = w.slice(0, -1);

  if (w.endsWith('eed')) {
    if (measure(w.slice(0, -3)) > 0) w = w.slice(0, -1);
  } else {
    const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0;
    const base = cut ? w.slice(0, -cut) : '';
    if (cut && base.length > 1 && hasVowel(base)) {
      w = base;
      if (/(at|bl|iz)$/.test(w)) w += 'e';
      else if (endsDouble(w) && !/[lsz]$/.test(w)) w = w.slice(0, -1);
      else if (measure(w) === 1 && endsShort(w)) w += 'e';
    }
  }
  if (w.endsWith('y') && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  for (const rules of [step2, step3]) {
    const rule = rules.find(([suffix]) => w.endsWith(suffix));
    if (rule && measure(w.slice(0, -rule[0].length)) > 0) w = w.slice(0, -rule[0].length) + rule[1];
  }
  const long = step4.exec(w);
  if (long?.[1] !== undefined && measure(long[1]) > 1) w = long[1];
  if (w.endsWith('e')) {
    const base = w.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !endsShort(base))) w = base;
  }
  if (endsDouble(w) && w.endsWith('l') && measure(w) > 1) w = w.slice(0, -1);
  return w;
}
