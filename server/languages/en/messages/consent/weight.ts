/**
 * How much words of an answer count as a yes.
 * - `yes`: "yes", "of course" · `okay`: "okay" · `right`: "correct": the read-back is true
 * - `deed`: "go ahead", an instruction · `agree`: "that's fine" · `praise`: "perfect", alone
 * - `mild`: "fine", which with thanks may decline · `please`: a wish, if nothing else was named
 * - `unsure`: "hmm", "why not": needs a plain yes beside it · `thanks` · `nothing`: adds nothing
 * - `heard`: "I understand", which needs the deed after it
 */
export type Weight =
  | 'yes'
  | 'okay'
  | 'right'
  | 'deed'
  | 'agree'
  | 'praise'
  | 'mild'
  | 'please'
  | 'unsure'
  | 'heard'
  | 'thanks'
  | 'nothing';
