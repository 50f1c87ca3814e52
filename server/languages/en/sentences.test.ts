import { expect, test } from 'vitest';
import { splitSentences } from './sentences.ts';

test.each([
  ['We open at 8.30. Ring us.', ['We open at 8.30.', 'Ring us.']],
  ['Take 4 showers, abt. 5 min each.', ['Take 4 showers, abt. 5 min each.']],
  [
    'House visit or video, 15 min. Quote good for 30 days.',
    ['House visit or video, 15 min.', 'Quote good for 30 days.'],
  ],
  [
    'Write to Dr. Hale, No. 5, St. James Rd. near the church.',
    ['Write to Dr. Hale, No. 5, St. James Rd. near the church.'],
  ],
  ['Bring ID, e.g. a passport, i.e. No copies.', ['Bring ID, e.g. a passport, i.e. No copies.']],
  [
    'Open Mon. to Sat. 9 to 5. Closed Sun. Please ring.',
    ['Open Mon. to Sat. 9 to 5.', 'Closed Sun.', 'Please ring.'],
  ],
  ['Ask J. Smith or the U.S. Public Health Service.', ['Ask J. Smith or the U.S. Public Health Service.']],
  ['5–10 w.d. = lose the deposit. Less = all.', ['5–10 w.d. = lose the deposit.', 'Less = all.']],
  ['Crib sheet (upd. Sept 26, Jo) for all. Keep it.', ['Crib sheet (upd. Sept 26, Jo) for all.', 'Keep it.']],
  ['We ship at 5 p.m. Later orders wait.', ['We ship at 5 p.m.', 'Later orders wait.']],
  [
    'See https://a.example/x.html?b=1. Then ring a.b@c.example.',
    ['See https://a.example/x.html?b=1.', 'Then ring a.b@c.example.'],
  ],
  [
    'Needs version 2.1.3 or Node.js 20. Nothing else.',
    ['Needs version 2.1.3 or Node.js 20.', 'Nothing else.'],
  ],
  ['Is it free? Yes! It is.', ['Is it free?', 'Yes!', 'It is.']],
  [
    'Grow up strong.But did you know?Better sleep.',
    ['Grow up strong.', 'But did you know?', 'Better sleep.'],
  ],
  [
    'Wir öffnen am 3. März, z.B. um 9. Bitte klingeln.',
    ['Wir öffnen am 3. März, z.B. um 9.', 'Bitte klingeln.'],
  ],
  ['我们每天营业。周日休息。', ['我们每天营业。', '周日休息。']],
  ['No full stop', ['No full stop']],
  ['', []],
])('%j', (text, sentences) => {
  expect(splitSentences(text)).toEqual(sentences);
});

test('nothing is lost, however odd the text', () => {
  for (const text of ['.'.repeat(5_000), 'a.'.repeat(5_000), '? ! . '.repeat(2_000), 'A. '.repeat(3_000)])
    expect(splitSentences(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
});
