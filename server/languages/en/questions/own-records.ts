import { normalize } from '../words.ts';

/** Records that a business keeps about one customer. */
const record =
  '(?:orders?|parcels?|packages?|deliver(?:y|ies)|shipments?|bookings?|reservations?|appointments?|payments?|transfers?|deposits?|premiums?|invoices?|bills?|balance|refunds?|claims?|applications?|registrations?|requests?|tickets?|accounts?|cards?|subscriptions?|polic(?:y|ies)|memberships?|points|prescriptions?|results?|repairs?|technicians?|engineers?|drivers?|\\w+ i (?:sent|paid|ordered|booked|made))';
const patterns: RegExp[] = [
  // Where it is, whether it came, what happened to it: asked about the customer's own thing.
  new RegExp(
    `\\b(?:where is|where are|when is|when are|what is the status of|status of|track|any news (?:on|about)|what happened to) my (?:\\w+ ){0,2}${record}\\b(?! (?:policy|form|page|settings))`,
  ),
  new RegExp(
    `\\b(?:has|have|did|was|were|is|are) (?:my|our|the|your) (?:\\w+ ){0,4}?${record}\\b.{0,30}\\b(?:arrive|arrived|come|came|go|gone|go through|gone through|received|processed|sent|shipped|dispatched|confirmed|approved|paid|cleared|posted|ready|coming|landed|accepted)\\b`,
  ),
  /\bwhy (?:was|were|is|am|did|has|have) (?:my|i|we|our|you)\b.{0,40}\b(?:charged|billed|debited|declined|blocked|suspended|cancelled|rejected|refused|twice)\b/,
  /\b(?:what is|how much is|how many are|what are) (?:my|our) (?:current |next |last |outstanding |remaining |open )?(?:balance|points|appointment|bill|order|booking|due date|account number|tracking number)\b/,
  /\bwhen (?:is|are|was|were|do|does|will|can) (?:my|our|your) (?:next |last )?(?:\w+ )?(?:appointment|booking|delivery|technician|engineer|driver|order|payment|bill)\b/,
  /\bdo i (?:still )?have (?:an?|any) (?:appointment|booking|reservation)s?(?=\W*$| (?:today|tomorrow|tonight|this|next|on|at|with|for)\b)/,
  new RegExp(
    `\\b(?:look up|check|see|find|pull up|tell me) (?:the status of |what happened to )?(?:my|our) (?:\\w+ )?${record}\\b`,
  ),
  /\b(?:booked|registered|listed|reserved|ordered|it is|account|name) (?:is )?(?:under|of|in the name of) \p{L}+/u,
  /\bhow much do i (?:still )?owe\b|\bhow many (?:points|credits|bookings) do i have\b|\bam i (?:still |already )?(?:registered|enrolled|booked|signed up|on the list)\b/,
  /\b(?:order|claim|booking|account|policy|invoice|reference|case|ticket|member)(?: (?:number|no|id))?\.? (?:is )?#?(?=[\w-]*\d)[a-z0-9-]{3,}\b/,
];

/** "How do I see my balance?" asks how, not for the balance. */
const asksTheWay = /\b(?:how|where) (?:do|can|could|would|should|may) i\b/;

/** Whether only somebody with access to this customer's records could answer. */
export function needsOwnRecords(text: string): boolean {
  const said = normalize(text).replace(/\s+/g, ' ');
  return !asksTheWay.test(said) && patterns.some((pattern) => pattern.test(said));
}
