import type { Replies } from '../../contract.ts';

const declines = /\b(?:don't|do not) have (?:that|this|any|the|enough) information\b|\bcan't help with\b/i;
const handsOver = /\bcolleague\b.{0,200}\bget back\b/i;

export const replies: Replies = {
  conclusionOf(reply) {
    if (declines.test(reply)) return 'declined';
    return handsOver.test(reply) ? 'handover' : null;
  },
};
