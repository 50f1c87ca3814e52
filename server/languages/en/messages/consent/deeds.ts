import { isNegated } from './places.ts';
import { type Token, tokensOf, wordsOf } from './tokens.ts';
import { isNumber } from './values.ts';
import { canonical, isArticle, isJoint, isVariant, setOf, stemsOf } from './vocabulary.ts';

/** Words before a verb that names the deed, and words that may come between. */
const modals = setOf('will would shall can could should');
const between = setOf('i you we he she they me just also then please now');
/** After these follows the wanted thing or deed. */
const wanting = setOf('want like me need happy going');
/** Verbs without information about the deed. */
const empty = setOf('go do like be want that this it work suit check a the have get');
/** Verbs whose object names the deed: "send the refund". */
const light = setOf('send give make process issue arrange place open book');

/**
 * Stems of the deeds to be done: the verb after "I'll", "I can", "shall I".
 * @param name of an action, if that alone names the deed: "Order cancellation"
 */
export function deedsIn(tokens: readonly Token[], name: string | null): ReadonlySet<string> {
  if (name !== null) return new Set(deedsOfName(wordsOf(tokensOf(name))));
  const words = wordsOf(tokens);
  const stems = words.map(canonical);
  const found = new Set<string>();
  const add = (at: number) => {
    const stem = stems[at];
    if (stem !== undefined && isDeed(stem)) found.add(stem);
  };
  for (const [at, word] of words.entries()) {
    // "I'll cancel your flight and refund 212 euros".
    const object = words[at + 2] ?? '';
    if (
      word === 'and' &&
      found.size > 0 &&
      (isArticle(object) || isNumber(object) || /^(?:it|them)$/.test(object))
    )
      add(at + 1);
    // "Delivered to 48 Station Road".
    if (word.endsWith('ed') && !removals.has(stems[at] ?? '') && !isNegated(tokens, at)) add(at);
    // "You can cancel it until Friday" is about what others may do.
    const isLeading = modals.has(word) && words[at - 1] !== 'you';
    if (!isLeading && !(word === 'to' && wanting.has(words[at - 1] ?? ''))) continue;
    let next = at + 1;
    while (between.has(words[next] ?? '')) next++;
    const verb = words[next] ?? '';
    // "I'll have your parcel held".
    if (verb === 'have' || verb === 'get')
      for (const [place, each] of words.entries()) if (!isJoint(each)) add(place);
    if (verb && !empty.has(verb) && !isNumber(verb)) found.add(canonical(verb));
    if (light.has(verb) && isArticle(words[next + 1] ?? '')) add(next + 2);
  }
  return found;
}

/** Verbs that are as often nouns: "order cancellation". */
const things = stemsOf('order call phone post mail email store note report place book');

function deedsOfName(words: readonly string[]): string[] {
  const stems = words.map(canonical);
  const [head = ''] = stems;
  const inside = stems.filter(isDeed);
  const removing = inside.filter((stem) => removals.has(stem));
  if (removing.length > 0) return removing;
  const isVerb = !things.has(head) || inside.length === 1 || isArticle(words[1] ?? '');
  if (isDeed(head) && isVerb)
    return stems.filter((stem, at) => at === 0 || (isDeed(stem) && words[at - 1] === 'or'));
  const others = inside.filter((stem) => !things.has(stem));
  return others.length > 0 ? others : inside.length > 0 ? inside : [head];
}

/** Synonyms of deeds. "Cancel" is not a synonym of "freeze": that is another wish. */
const deedLines = `
  book: reserve schedule arrange
  reserve: book
  schedule: book arrange
  arrange: book schedule
  cancel: stop end terminate remove scrap bin axe ditch delete
  stop: cancel end
  end: cancel stop terminate
  terminate: cancel end stop
  close: end terminate
  block: stop lock freeze deactivate disable
  lock: block
  freeze: pause suspend
  pause: freeze suspend
  suspend: freeze pause
  unsubscribe: cancel stop
  delete: remove erase
  remove: delete cancel
  erase: delete remove
  deactivate: disable
  disable: deactivate
  drop: remove
  hold: keep store
  keep: hold store
  store: keep hold
  call: ring phone
  ring: call phone
  phone: call ring
  send: ship post mail email dispatch forward
  ship: send dispatch
  post: send mail
  mail: send post email
  email: send mail
  forward: send
  move: change switch reschedule rebook shift
  reschedule: move change rebook shift
  rebook: move change reschedule switch
  change: switch update move
  switch: change move
  update: change amend correct
  correct: change update
  order: get buy purchase
  place: order
  buy: get order purchase
  refund: reimburse return repay
  return: refund
  reimburse: refund repay
  renew: extend continue prolong
  extend: renew prolong
  open: start raise file
  start: begin open
  raise: increase open
  increase: raise
  lower: reduce decrease
  reduce: lower decrease
  add: include put
  include: add
  submit: send enter
  enter: submit add
  deliver: bring send
  bring: deliver
  confirm: book
  repair: fix
  fix: repair
  pick: collect
  collect: pick
  mark: note report
  note: mark
  report: mark file
  upgrade: switch change move
  downgrade: switch change move
  transfer: move send
  pay: settle
  sign: register enrol
  register: sign enrol
  replace: exchange swap
  exchange: replace swap
  activate: enable
  enable: activate
  dispute: contest challenge
  give: add
  withdraw: cancel
`
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean);
const deeds = new Map(
  deedLines.map((line): [string, ReadonlySet<string>] => {
    const [head = '', others = ''] = line.split(': ');
    return [canonical(head), stemsOf(others)];
  }),
);
const bases = setOf(deedLines.join(' ').replaceAll(':', ''));

export const isDeed = (stem: string) => deeds.has(stem);
/** A deed with its synonyms. */
export const callsOf = (stem: string): string[] => [stem, ...(deeds.get(stem) ?? [])];

/** Deeds that end something. */
export const endings = stemsOf(
  'cancel stop end terminate close block freeze lock suspend unsubscribe delete remove erase drop deactivate disable pause withdraw',
);
/** Deeds that end or remove something: a customer who wants the thing itself does not want them. */
export const removals: ReadonlySet<string> = new Set([
  ...endings,
  ...stemsOf('dispute return refund reimburse downgrade'),
]);

/** On their own they stop the agent rather than instruct it. */
export const halting = setOf(
  'stop hold keep change drop end pause move switch leave forget skip wait stay quit',
);

/** "Send", not "sent" or "sending". */
export const isBase = (word: string) => bases.has(word) || (!isVariant(word) && !/(?:ed|ing)$/.test(word));
