import { expect, test } from 'vitest';
import { dictatedIn, isWholeNumber } from './dictated-number.ts';

test.each([
  ['oh two oh, seven nine four six, oh double one eight', '02079460118'],
  ['four nine six, oh five, sorry, five oh, one', '496501'],
  ['four nine six oh five sorry five oh one', '496501'],
  ['oh three double nine, no wait, oh three double oh', '0300'],
  ['oh two oh, seven nine four six, oh two eight four, no, oh two four eight', '02079460248'],
  ['nine oh one, five, no, six', '9016'],
  ['oh one two one — hang on — oh one one two', '0112'],
  ['oh one two, sorry, oh one two one, four nine six', '0121496'],
  ['0121 496033, no, 0121 496055', '0121496055'],
  ['0121 496033, sorry, 0112 496033', '0112496033'],
  ['496, and then oh 2 7', '496027'],
  ['Oh one two one. Four nine six, oh three one. No, not oh three one. Oh double three', '0121496033'],
  ['oh seven seven oh oh, nine hundred, four hundred and seven', '07700900407'],
  ['oh two oh, seven nine four six, oh three double one, ach no, oh three double two', '02079460322'],
  ['oh two oh seven nine four six oh oh double four hmm sorry listen oh double five', '02079460055'],
  ['oh two oh, seven nine four six, one four four, no, oh one four four', '02079460144'],
  ['oh two oh seven nine four six. Two five five, wait, zero two five five', '02079460255'],
  ['oh two oh seven and after nine four six and finally oh one four four', '02079460144'],
  ['Can you do it for two, no wait, three of us? It is oh two oh seven', '0207'],
])('"%s" is %s', (said, figures) => {
  expect(dictatedIn(said)?.figures).toBe(figures);
});

test.each(['', 'No, not that one day', 'I said so'])('nothing is dictated in "%s"', (said) => {
  expect((dictatedIn(said)?.figures ?? '').length).toBeLessThan(2);
});

test('it is known whether more was told behind it, and where it begins', () => {
  const open = 'This is Mo, and it is oh one six three two';
  expect(dictatedIn(open)).toMatchObject({ isLast: true, start: open.indexOf('oh one') });
  expect(dictatedIn('oh one six three two is my number of old')).toMatchObject({ isLast: false });
});

test('half a number is none', () => {
  for (const whole of ['07700900417', '2125550187', '5550187', '01632960411'])
    expect(isWholeNumber(whole), whole).toBe(true);
  for (const part of ['01632', '01632960', '016329604', '960']) expect(isWholeNumber(part), part).toBe(false);
});
