/**
 * What words of an answer do for a yes.
 * - `yes`: "yes", "of course" · `okay`: "okay" · `right`: "correct", which says that what was read back is so
 * - `deed`: "go ahead", which says what to do · `agree`: "that's fine" · `praise`: "perfect", alone
 * - `mild`: "fine", which with thanks may decline · `please`: a wish, where nothing else was named
 * - `unsure`: "hmm", "why not": a yes beside it has to be plain · `thanks` · `nothing`: adds nothing
 * - `heard`: "I understand", after which the deed has to be told
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
